// Sets how many days an organisation keeps details (contract sections 7 and 11); counters are kept for good.

import type { AuditEntry } from '../../domain/audit.ts'
import type { Retention } from '../../domain/organisation.ts'
import { ApiError } from '../../lib/api-error.ts'

/** Ten years: beyond it, a number is a slip. */
const MOST_DAYS = 3650

export type SetRetention = (organisationId: number, days: number, audit?: AuditEntry) => Promise<boolean>

/** False when there is no such organisation. Throws `request/invalid-body` for anything but 1 to 3,650 whole days. */
export function createSetRetention(deps: { retention: Pick<Retention, 'setDays'> }): SetRetention {
  return async function setRetention(organisationId, days, audit) {
    if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
      const message = `A whole number of days from 1 to ${MOST_DAYS}.`
      throw new ApiError('request/invalid-body', { details: [{ path: 'retentionDays', message }] })
    }
    return deps.retention.setDays(organisationId, days, audit)
  }
}
