// Reads a source of an environment, at the revision that its caller has read.

import type { AuditLog } from '../../domain/audit.ts'
import type { Sources, StoredSource } from '../../domain/connector/source.ts'
import type { TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { requireRevision } from './require-revision.ts'

/** @throws ApiError `source/not-found`, and `request/conflict` where `takes` does not take the stored revision */
export async function getSource(
  { sources, audit }: { sources: Pick<Sources, 'find'>; audit: Pick<AuditLog, 'search'> },
  environmentId: number,
  publicId: string,
  takes?: TakesRevision,
): Promise<StoredSource> {
  const source = await sources.find(environmentId, publicId)
  if (source === undefined) throw new ApiError('source/not-found')
  const entries = { environmentId, action: 'source', subject: publicId }
  await requireRevision(audit, takes, source, { noun: 'source', ...entries })
  return source
}
