// Signs a person in with e-mail address, password and second factor, and changes passwords.

import { normaliseEmail } from '../../../contract/resources/person.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { NotifyPerson } from '../../domain/people/account-change.ts'
import { CHALLENGE_MS } from '../../domain/people/challenge.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import type { Account } from '../../domain/people/person.ts'
import type { FactorProof } from '../../domain/people/second-factor.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import { hashToken, newToken } from '../../lib/one-time-token.ts'
import type { DeviceTokens } from './device-tokens.ts'
import type { PersonSessions } from './person-sessions.ts'
import type { ProveFactor } from './prove-factor.ts'

/** `next`: `second-factor` when the token is that of a challenge, not of a session. */
export type SignInStep =
  | { next: 'session'; token: string }
  | { next: 'second-factor'; token: string; expiresAt: number }

/** The browser and the request of a sign-in. */
export interface SignInOrigin {
  userAgent: string
  /** The token of the device cookie. */
  device?: string | undefined
  correlationId: string
}

export type SignInPerson = ReturnType<typeof createSignInPerson>

export function createSignInPerson(
  deps: Pick<Core, 'people' | 'challenges' | 'clock'> & {
    /** `verify` takes the same time for an unknown account. */
    passwords: {
      hash(password: string): Promise<string>
      verify(password: string, stored: string | undefined): Promise<boolean>
    }
    issueSession: PersonSessions['issue']
    /** Whether the person has signed in before in the browser of a token. */
    findDevice: DeviceTokens['findDevice']
    factor: ProveFactor
    notify: NotifyPerson
  },
) {
  const { people, passwords, issueSession, factor, challenges, clock } = deps
  const isKnown = (origin: SignInOrigin, account: Pick<Account, 'id' | 'passwordHash'>) =>
    deps.findDevice(origin.device, account) !== undefined

  /** @throws ApiError `auth/unauthenticated`, the same for an unknown address and a wrong password. */
  async function getAccount(email: string, password: string): Promise<Account> {
    const account = await people.findAccount(normaliseEmail(email))
    const isRight = await passwords.verify(password, account?.passwordHash)
    if (account === undefined || !isRight) {
      throw new ApiError('auth/unauthenticated', {
        message: 'E-mail address or password is wrong.',
        reason: 'wrong-credentials',
      })
    }
    return account
  }

  /** @returns The audit entry of a used recovery code; undefined for another proof. */
  function auditOf(personId: number, proof: FactorProof | null, correlationId: string): AuditEntry | undefined {
    if (proof?.kind !== 'recovery-code') return undefined
    const subject = formatId('person', personId)
    const by: ChangedBy = { actor: 'dashboard', who: subject, correlationId }
    return { at: clock.now(), ...by, action: 'person.use-recovery-code', environmentId: null, subject, detail: {} }
  }

  async function createChallenge({ id: personId, passwordHash }: Account): Promise<SignInStep> {
    const { token, hash } = newToken('challenge')
    const kind = 'second-factor'
    const expiresAt = clock.now() + CHALLENGE_MS[kind]
    await challenges.create({ kind, personId, organisationId: null, passwordHash, expiresAt }, hash)
    return { next: 'second-factor', token, expiresAt }
  }

  /**
   * Begins the session of a person whose password was verified; without the code of a second factor only a challenge.
   * @throws ApiError `auth/unauthenticated` for a wrong code, `request/rate-limited`.
   */
  async function begin(account: Account, code: string | undefined, origin: SignInOrigin): Promise<SignInStep> {
    const { id, passwordHash } = account
    const isOn = await factor.isOn(id)
    if (isOn && code === undefined) return createChallenge(account)
    const proof = isOn && code !== undefined ? await factor.prove(id, code, isKnown(origin, account)) : null
    const session = { by: 'password', passwordHash, factor: proof, challengeHash: null } as const
    const entry = auditOf(id, proof, origin.correlationId)
    const { token } = await issueSession(id, origin.userAgent, session, entry)
    return { next: 'session', token }
  }

  return {
    getAccount,
    begin,

    async signIn(
      { email, password, code }: { email: string; password: string; code?: string | undefined },
      origin: SignInOrigin,
    ): Promise<SignInStep> {
      return begin(await getAccount(email, password), code, origin)
    },

    /**
     * Answers a challenge with a code. Five codes may be tried on one.
     * @returns The token of the session.
     * @throws ApiError `auth/unauthenticated` for a wrong code or an ended challenge, `request/rate-limited`.
     */
    async answerChallenge(challengeToken: string | undefined, code: string, origin: SignInOrigin): Promise<string> {
      const challengeHash = hashToken('challenge', challengeToken)
      const challenge =
        challengeHash === undefined ? undefined : await challenges.attempt(challengeHash, 'second-factor', clock.now())
      if (challengeHash === undefined || challenge?.personId == null || challenge.passwordHash === null) {
        throw challengeEnded()
      }
      const { personId, passwordHash } = challenge
      // Switched off meanwhile: the password has to be proved again.
      if (!(await factor.isOn(personId))) throw challengeEnded()
      const proof = await factor.prove(personId, code, isKnown(origin, { id: personId, passwordHash }))
      const session = { by: 'password', passwordHash, factor: proof, challengeHash } as const
      const entry = auditOf(personId, proof, origin.correlationId)
      return (await issueSession(personId, origin.userAgent, session, entry)).token
    },

    /** Ends all other sessions. @throws ApiError `auth/unauthenticated` for a wrong password, `request/conflict`. */
    async changePassword(signedIn: SignedIn, current: string, next: string, by: ChangedBy): Promise<void> {
      const { person, session } = signedIn
      const { passwordHash: former } = await getAccount(person.email, current)
      const subject = formatId('person', person.id)
      const entry = {
        at: clock.now(),
        ...by,
        action: 'person.change-password',
        environmentId: null,
        subject,
        detail: {},
      }
      const change = { former, passwordHash: await passwords.hash(next), keptSessionId: session.id }
      if (!(await people.changePassword(person.id, change, entry))) {
        throw new ApiError('request/conflict', { message: 'The password was changed meanwhile.' })
      }
      deps.notify(person, 'password', by.correlationId)
    },
  }
}

/** The error of a challenge that was used, is expired, has no attempt left, or belongs to another browser. */
export function challengeEnded(): ApiError {
  return new ApiError('auth/unauthenticated', {
    message: 'This sign-in has ended, or began in another browser. Begin again.',
    reason: 'challenge-ended',
  })
}
