// Refuses a change of another revision than the caller has read.

import type { AuditFilter, AuditLog } from '../../domain/audit.ts'
import type { Revised, TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'

/** Entries among which the change is found: those of its millisecond, or the newest ones. */
const LOOKED_AT = 100

/**
 * Call it with what `changeStored` has read, so that the change is saved at the revision that was compared.
 * @param takes Absent: the caller takes any revision.
 * @param stored Undefined: there is none, which no `If-Match` names. Without `updatedAt`, the newest of the entries is
 *   the change.
 * @param entries Finds the audit entries of the noun; `subject` names the row in them, where they may be of others.
 * @throws ApiError `request/conflict`, with who made the stored revision, and when
 */
export async function requireRevision(
  audit: Pick<AuditLog, 'search'>,
  takes: TakesRevision | undefined,
  stored: Revised<{ updatedAt?: number; createdAt?: number }> | undefined,
  { noun, subject, ...entries }: AuditFilter & { noun: string; subject?: string },
): Promise<void> {
  if (takes === undefined || (stored !== undefined && takes(stored.revision))) return
  const at = stored?.updatedAt
  const found = await audit.search(at === undefined ? entries : { ...entries, from: at, to: at }, LOOKED_AT)
  const change = found.find((entry) => subject === undefined || entry.subject === subject)
  const changedAt = at ?? change?.at ?? stored?.createdAt
  const message =
    stored === undefined
      ? `There is no ${noun} that \`If-Match\` could name. Leave the header out to make one.`
      : `The ${noun} has another revision than \`If-Match\` names. Read it, and decide again.`
  throw new ApiError('request/conflict', {
    message,
    details: [{ path: '', message }],
    changedBy: change?.who ?? null,
    ...(changedAt === undefined ? {} : { changedAt: toIso(changedAt) }),
  })
}
