// Wires the second factor of people: one-time codes and recovery codes.

import { createTotpCodes } from '../auth/totp.ts'
import type { NotifyPerson } from '../domain/people/account-change.ts'
import { createManageFactor, type ManageFactor } from '../flow/people/manage-factor.ts'
import { createProveFactor, type ProveFactor } from '../flow/people/prove-factor.ts'
import type { SignInPerson } from '../flow/people/sign-in-person.ts'
import type { AppCore } from './core.ts'

/** The name of the service in authenticator apps. */
const ISSUER = 'Notification center'

export interface Factors {
  factor: ProveFactor
  createManage(getAccount: SignInPerson['getAccount'], notify: NotifyPerson): ManageFactor
}

export function wireFactors(core: AppCore): Factors {
  const { newSecret, findStep } = createTotpCodes({ issuer: ISSUER })
  const factor = createProveFactor({ ...core, findStep })
  return {
    factor,
    createManage: (getAccount, notify) =>
      createManageFactor({ ...core, findStep, prove: factor.prove, getAccount, newSecret, notify }),
  }
}
