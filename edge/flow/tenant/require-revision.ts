// Refuses a change of another revision than the caller has read.

import type { AuditFilter, AuditLog } from '../../domain/audit.ts'
import type { Revised, TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'

/** Entries of one millisecond, among which the change is found. */
const LOOKED_AT = 100

/**
 * Call it with what `changeStored` has read, so that the change is saved at the revision that was compared.
 * @param takes Absent: the caller takes any revision.
 * @param entries Finds the audit entries of the noun; `subject` names the row in them.
 * @throws ApiError `request/conflict`, with who made the stored revision, and when
 */
export async function requireRevision(
  audit: Pick<AuditLog, 'search'>,
  takes: TakesRevision | undefined,
  stored: Revised<{ updatedAt: number }>,
  { noun, subject, ...entries }: AuditFilter & { noun: string; subject: string },
): Promise<void> {
  if (takes === undefined || takes(stored.revision)) return
  const at = stored.updatedAt
  const found = await audit.search({ ...entries, from: at, to: at }, LOOKED_AT)
  const message = `The ${noun} has another revision than \`If-Match\` names. Read it, and decide again.`
  throw new ApiError('request/conflict', {
    message,
    details: [{ path: '', message }],
    changedBy: found.find((entry) => entry.subject === subject)?.who ?? null,
    changedAt: toIso(at),
  })
}
