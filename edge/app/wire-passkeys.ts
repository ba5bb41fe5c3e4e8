// Wires passkeys of people.

import { passkeyCeremonies as ceremonies } from '../auth/passkey-ceremony.ts'
import type { NotifyPerson } from '../domain/people/account-change.ts'
import { createManagePasskeys, type ManagePasskeys } from '../flow/people/manage-passkeys.ts'
import { createPasskeyChallenges, passkeySiteOf } from '../flow/people/passkey-challenges.ts'
import type { PersonSessions } from '../flow/people/person-sessions.ts'
import { createSignInPasskey, type SignInPasskey } from '../flow/people/sign-in-passkey.ts'
import type { SignInPerson } from '../flow/people/sign-in-person.ts'
import type { Core } from './core.ts'

interface Verified {
  getAccount: SignInPerson['getAccount']
  notify: NotifyPerson
  issueSession: PersonSessions['issue']
}

export function wirePasskeys(
  { stores, ids, clock, publicUrl }: Core,
  { getAccount, notify, issueSession }: Verified,
): { managePasskeys: ManagePasskeys; signInPasskey: SignInPasskey } {
  const passkeyChallenges = createPasskeyChallenges({ challenges: stores.challenges, clock })
  const shared = { passkeys: stores.passkeys, passkeyChallenges, ceremonies, site: () => passkeySiteOf(publicUrl()) }
  return {
    managePasskeys: createManagePasskeys({ ...shared, getAccount, notify, ids, clock }),
    signInPasskey: createSignInPasskey({ ...shared, issueSession }),
  }
}
