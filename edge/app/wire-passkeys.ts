// Wires passkeys of people.

import { passkeyCeremonies as ceremonies } from '../auth/passkey-ceremony.ts'
import type { NotifyPerson } from '../domain/people/account-change.ts'
import { createManagePasskeys, type ManagePasskeys } from '../flow/people/manage-passkeys.ts'
import { createPasskeyChallenges, passkeySiteOf } from '../flow/people/passkey-challenges.ts'
import type { PersonSessions } from '../flow/people/person-sessions.ts'
import { createSignInPasskey, type SignInPasskey } from '../flow/people/sign-in-passkey.ts'
import type { SignInPerson } from '../flow/people/sign-in-person.ts'
import type { AppCore } from './core.ts'

interface Verified {
  getAccount: SignInPerson['getAccount']
  notify: NotifyPerson
  issueSession: PersonSessions['issue']
}

export function wirePasskeys(
  core: AppCore,
  verified: Verified,
): { managePasskeys: ManagePasskeys; signInPasskey: SignInPasskey } {
  const site = () => passkeySiteOf(core.publicUrl())
  const shared = { ...core, ...verified, passkeyChallenges: createPasskeyChallenges(core), ceremonies, site }
  return { managePasskeys: createManagePasskeys(shared), signInPasskey: createSignInPasskey(shared) }
}
