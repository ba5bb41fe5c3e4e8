// Defines sign-ins in progress: what a browser has to prove next. A challenge is no session, and works once.

import type { SignOnQuestion } from './single-sign-on.ts'

/** How long a browser may take, in milliseconds, by kind. */
export const CHALLENGE_MS = {
  /** The password was right; the second factor is missing. */
  'second-factor': 5 * 60 * 1000,
  passkey: 5 * 60 * 1000,
  'passkey-registration': 5 * 60 * 1000,
  /** A person may have to sign in at the identity provider first. */
  'single-sign-on': 15 * 60 * 1000,
  /** The provider has answered, and the person is asked; a person who is to accept may have to sign in first. */
  'single-sign-on-question': 15 * 60 * 1000,
} as const
export type ChallengeKind = keyof typeof CHALLENGE_MS

/** Codes that may be tried on one challenge. */
export const CHALLENGE_ATTEMPTS = 5

/** What a single sign-on keeps between its steps. */
export type ChallengeDetail =
  | {
      /** A page of another site began. */
      beganElsewhere: boolean
    }
  | { question: SignOnQuestion }

export interface Challenge {
  kind: ChallengeKind
  /** Null while the person is not known. */
  personId: number | null
  /** Of single sign-on; else null. */
  organisationId: number | null
  /** The hash of the verified password, which must still be the stored one in the end; else null. */
  passwordHash: string | null
  expiresAt: number
  /** Of single sign-on; else absent. */
  detail?: ChallengeDetail | undefined
}

export interface Challenges {
  create(challenge: Challenge, tokenHash: string): Promise<void>
  /** Undefined for one that was used or is expired. */
  find(tokenHash: string, kind: ChallengeKind, now: number): Promise<Challenge | undefined>
  /** Counts an attempt. Undefined for a challenge that was used, is expired or has no attempt left. */
  attempt(tokenHash: string, kind: ChallengeKind, now: number): Promise<Challenge | undefined>
  /** Uses the challenge up. Undefined for one that was used or is expired. */
  use(tokenHash: string, kind: ChallengeKind, now: number): Promise<Challenge | undefined>
}
