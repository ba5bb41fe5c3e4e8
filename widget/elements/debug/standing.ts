// Where an inbox stands, as far as `debug` can see it from outside.

import type { AuthAnswer } from '../../../contract/api.ts'
import type { Failure } from '../../lib/failure.ts'

/** A call that did not succeed, with what the service said of it. */
export interface Refusal extends Failure {
  at: number
  said: string | undefined
  details: string[]
}

/** Where things stand, as far as they can be seen from outside. Instants by this device's clock. */
export interface Standing {
  signedIn: Pick<AuthAnswer, 'environment' | 'expiresAt' | 'expiresIn'> | undefined
  signedInAt: number | undefined
  /** The last sign-in, if it failed. */
  refusal: Refusal | undefined
  /** The device's clock ahead of the service's, ms. */
  skewMs: number | undefined
  signInAgainAt: number | undefined
  socket: 'not wanted here' | 'opening' | 'up' | 'lost'
  socketSince: number
  socketRetries: number
  /** Why the last socket ended, where the service said it. */
  socketCode: string | undefined
  socketUrl: string | undefined
  isLeading: boolean
  leadSince: number
  lastAskedAt: number | undefined
  /** Delivery events: the last batch that got through, and the last that did not. */
  sentAt: number | undefined
  sendFailure: Refusal | undefined
  lastSeen: { epoch: string; seq: number } | undefined
  /** The user whose stored keys are in use: what follows `inbox` and `receipts` in them. */
  owner: string | undefined
  /** What a later part threw when it ran. */
  partFailure: string | undefined
}

export const freshStanding = (at: number): Standing => ({
  signedIn: undefined,
  signedInAt: undefined,
  refusal: undefined,
  skewMs: undefined,
  signInAgainAt: undefined,
  socket: 'not wanted here',
  socketSince: at,
  socketRetries: 0,
  socketCode: undefined,
  socketUrl: undefined,
  isLeading: false,
  leadSince: at,
  lastAskedAt: undefined,
  sentAt: undefined,
  sendFailure: undefined,
  lastSeen: undefined,
  owner: undefined,
  partFailure: undefined,
})

/** What those that watch need. */
export interface Watching {
  now: () => number
  note: (text: string) => void
  standing: Standing
}
