// Renews the leases of claims whose work is still running (docs/decisions/0020-fair-claims.md).

import type { JobClaim } from '../../../domain/job.ts'
import type { Leases } from '../../../domain/lease.ts'
import type { MailClaim } from '../../../domain/mail/mail.ts'
import type { WaitClaim } from '../../../domain/run/run-wait.ts'
import { type RowsStatement, withRows } from '../sql.ts'
import type { WriteContext, Writes } from '../write.ts'
import type { DueTable } from './due.ts'

const renewal = (table: DueTable, key: string) =>
  withRows(
    { key: 'int', fence: 'int', environment_id: 'int', due_at: 'int' },
    `UPDATE ${table} SET due_at = given.due_at FROM given WHERE ${table}.environment_id = given.environment_id
      AND ${table}.${key} = given.key AND ${table}.fence = given.fence AND ${table}.due_at IS NOT NULL`,
  )
const RENEW_JOBS = renewal('job', 'id')
const RENEW_WAITS = renewal('run_wait', 'run_id')
const RENEW_MAILS = renewal('mail', 'message_id')

export const leaseWrites = {
  renewJobs: (context: WriteContext, claims: JobClaim[], now: number, leaseMs: number): Promise<void> =>
    renew(
      context,
      RENEW_JOBS,
      claims.map(({ environmentId, id, fence }) => [id, fence, environmentId]),
      { now, leaseMs },
    ),
  renewWaits: (context: WriteContext, claims: WaitClaim[], now: number, leaseMs: number): Promise<void> =>
    renew(
      context,
      RENEW_WAITS,
      claims.map(({ runId, fence, environmentId }) => [runId, fence, environmentId]),
      { now, leaseMs },
    ),
  renewMails: (context: WriteContext, claims: MailClaim[], now: number, leaseMs: number): Promise<void> =>
    renew(
      context,
      RENEW_MAILS,
      claims.map(({ environmentId, messageId, fence }) => [messageId, fence, environmentId]),
      { now, leaseMs },
    ),
}

/** Locks rows in one order, so that two nodes cannot deadlock. */
async function renew(
  { sql, readNow }: WriteContext,
  statement: RowsStatement,
  claims: [key: number, fence: number, environmentId: number][],
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<void> {
  const until = ((await readNow?.(sql)) ?? now) + leaseMs
  const ordered = claims.sort(([one], [other]) => one - other)
  await sql.bulk(
    statement,
    ordered.map((claim) => [...claim, until]),
  )
}

export function createLeases(writes: Pick<Writes<typeof leaseWrites>, 'renewJobs' | 'renewWaits'>): Leases {
  return { renewJobs: writes.renewJobs, renewWaits: writes.renewWaits }
}
