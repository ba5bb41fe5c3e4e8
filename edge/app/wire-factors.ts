// Wires the second factor of people: one-time codes and recovery codes.

import { createTotpCodes } from '../auth/totp.ts'
import type { NotifyPerson } from '../domain/people/account-change.ts'
import { createManageFactor, type ManageFactor } from '../flow/people/manage-factor.ts'
import { createProveFactor, type ProveFactor } from '../flow/people/prove-factor.ts'
import type { SignInPerson } from '../flow/people/sign-in-person.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'

/** The name of the service in authenticator apps. */
const ISSUER = 'Notification center'

export interface Factors {
  factor: ProveFactor
  createManage(getAccount: SignInPerson['getAccount'], notify: NotifyPerson): ManageFactor
}

export function wireFactors({ stores, clock }: Core, { sealer }: Pick<Auth, 'sealer'>): Factors {
  const { newSecret, findStep } = createTotpCodes({ issuer: ISSUER })
  const shared = { secondFactors: stores.secondFactors, findStep, open: sealer.open, clock }
  const factor = createProveFactor(shared)
  return {
    factor,
    createManage: (getAccount, notify) =>
      createManageFactor({ ...shared, prove: factor.prove, getAccount, newSecret, seal: sealer.seal, notify }),
  }
}
