// Signs a person in with e-mail address and password, and changes passwords.

import type { ChangedBy } from '../../domain/audit.ts'
import type { DashboardSession, SignedIn } from '../../domain/people/dashboard-session.ts'
import { normaliseEmail, parsePassword } from '../../domain/people/parse-person.ts'
import type { Account, People } from '../../domain/people/person.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'

export interface SignInPersonDeps {
  people: Pick<People, 'findAccount' | 'changePassword'>
  /** `verify` takes the same time for an unknown account. */
  passwords: {
    hash(password: string): Promise<string>
    verify(password: string, stored: string | undefined): Promise<boolean>
  }
  issueSession(account: Account, userAgent: string): Promise<{ token: string; session: DashboardSession }>
  clock: Clock
}

export type SignInPerson = ReturnType<typeof createSignInPerson>

export function createSignInPerson({ people, passwords, issueSession, clock }: SignInPersonDeps) {
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

  return {
    getAccount,

    async signIn(email: string, password: string, userAgent: string) {
      const account = await getAccount(email, password)
      return issueSession(account, userAgent)
    },

    /** Ends all other sessions. @throws ApiError `auth/unauthenticated` for a wrong password, `request/conflict`. */
    async changePassword(signedIn: SignedIn, current: string, next: string, by: ChangedBy): Promise<void> {
      parsePassword(next)
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
    },
  }
}
