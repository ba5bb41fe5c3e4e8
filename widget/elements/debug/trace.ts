// Records what an inbox does, from between the inbox and the world: its last events, and the state that they lead to.

import type { AuthAnswer } from '../../../contract/api.ts'
import type { BrowserApis } from '../../inbox/core-types.ts'
import type { Failure } from '../../lib/failure.ts'

/** Something that happened. Holds no text of a message, no token and no name of a person. */
export interface TraceLine {
  at: number
  text: string
}

/** A call that did not succeed, with the answer of the service. */
export interface Refusal extends Failure {
  at: number
  message: string | undefined
  details: string[]
}

/** The state of an inbox, as far as it can be observed from outside. Instants by this device's clock. */
export class Observed {
  signedIn: Pick<AuthAnswer, 'environment' | 'expiresAt' | 'expiresIn'> | undefined
  signedInAt: number | undefined
  /** The last sign-in, if it failed. */
  refusal: Refusal | undefined
  /** The device's clock ahead of the service's, ms. */
  skewMs: number | undefined
  signInAgainAt: number | undefined
  socket: 'not wanted here' | 'opening' | 'up' | 'lost' = 'not wanted here'
  socketSince = Date.now()
  socketRetries = 0
  /** Why the last socket ended, where the service gave a reason. */
  socketCode: string | undefined
  socketUrl: string | undefined
  isLeading = false
  leadSince = Date.now()
  lastAskedAt: number | undefined
  /** Delivery events: the last batch that was accepted, and the last that was not. */
  sentAt: number | undefined
  sendFailure: Refusal | undefined
  lastSeen: { epoch: string; seq: number } | undefined
  /** Follows `inbox` and `receipts` in the keys of the storage that is in use. */
  owner: string | undefined
  /** The error that a part threw when it ran. */
  partFailure: string | undefined
}

const MOST_LINES = 50

export class Trace {
  readonly lines: TraceLine[] = []
  observed = new Observed()
  /** What the inbox uses of the browser; undefined until it is there. */
  browser: BrowserApis | undefined
  /** Called after each change. */
  onChange: () => void = () => {}

  note(text: string): void {
    this.lines.push({ at: Date.now(), text })
    if (this.lines.length > MOST_LINES) this.lines.shift()
    this.onChange()
  }

  set(change: Partial<Observed>): void {
    Object.assign(this.observed, change)
    this.onChange()
  }

  /** A new inbox begins; the lines stay. */
  begin(): void {
    this.browser = undefined
    this.observed = new Observed()
  }
}
