// Switches one-time codes off for a person who lost the device and the recovery codes; only the operator may.

import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { NotifyPerson } from '../../domain/people/account-change.ts'
import type { Person } from '../../domain/people/person.ts'
import { factorOff } from './prove-factor.ts'

/** @returns A function that throws `request/conflict` when the person has no second factor. */
export function createResetFactor({
  secondFactors,
  notify,
  clock,
}: Pick<Core, 'secondFactors' | 'clock'> & {
  notify: NotifyPerson
}) {
  return async function resetFactor({ id, email }: Person, by: ChangedBy): Promise<void> {
    const target = { environmentId: null, subject: email, detail: { before: 'on', after: 'off' } }
    const entry = { at: clock.now(), ...by, action: 'person.reset-totp', ...target }
    if (!(await secondFactors.reset(id, entry))) throw factorOff()
    notify({ id, email }, 'totp-off', by.correlationId)
  }
}
