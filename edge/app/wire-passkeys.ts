// Wires passkeys of people.

import { passkeyCeremonies as ceremonies } from '../auth/passkey-ceremony.ts'
import { createManagePasskeys, type ManagePasskeys, type ManagePasskeysDeps } from '../flow/people/manage-passkeys.ts'
import { createPasskeyChallenges, passkeySiteOf } from '../flow/people/passkey-challenges.ts'
import { createSignInPasskey, type SignInPasskey, type SignInPasskeyDeps } from '../flow/people/sign-in-passkey.ts'
import type { Core } from './core.ts'

type Verified = Pick<ManagePasskeysDeps, 'getAccount' | 'notify'> & Pick<SignInPasskeyDeps, 'issueSession'>

export function wirePasskeys(
  { stores, ids, clock, publicUrl }: Core,
  { getAccount, notify, issueSession }: Verified,
): { managePasskeys: ManagePasskeys; signInPasskey: SignInPasskey } {
  const challenges = createPasskeyChallenges({ challenges: stores.challenges, clock })
  const shared = { passkeys: stores.passkeys, challenges, ceremonies, site: () => passkeySiteOf(publicUrl()) }
  return {
    managePasskeys: createManagePasskeys({ ...shared, getAccount, notify, ids, clock }),
    signInPasskey: createSignInPasskey({ ...shared, issueSession }),
  }
}
