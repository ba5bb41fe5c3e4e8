// Switches one-time codes off for a person who lost the device and the recovery codes; only the operator may.

import type { ChangedBy } from '../../domain/audit.ts'
import type { NotifyPerson } from '../../domain/people/account-change.ts'
import type { Person } from '../../domain/people/person.ts'
import type { SecondFactors } from '../../domain/people/second-factor.ts'
import type { Clock } from '../../lib/clock.ts'
import { factorOff } from './prove-factor.ts'

export interface ResetFactorDeps {
  secondFactors: Pick<SecondFactors, 'reset'>
  notify: NotifyPerson
  clock: Clock
}

/** @returns A function that throws `request/conflict` when the person has no second factor. */
export function createResetFactor({ secondFactors, notify, clock }: ResetFactorDeps) {
  return async function resetFactor({ id, email }: Person, by: ChangedBy): Promise<void> {
    const target = { environmentId: null, subject: email, detail: { before: 'on', after: 'off' } }
    const entry = { at: clock.now(), ...by, action: 'person.reset-totp', ...target }
    if (!(await secondFactors.reset(id, entry))) throw factorOff()
    notify({ id, email }, 'totp-off', by.correlationId)
  }
}
