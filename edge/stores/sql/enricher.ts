// Stores the enrichers of environments.

import type { AuditEntry } from '../../domain/audit.ts'
import type { Enricher, EnricherRegistry, NewEnricher } from '../../domain/enricher.ts'
import { ENRICHER } from '../tables/enricher.ts'
import { insertInto, namesOf, type RawRow, view } from '../tables/table.ts'
import { recordAudit } from './audit.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const VIEW = view(ENRICHER, '', namesOf(ENRICHER.columns))
const UPSERT = insertInto(
  ENRICHER,
  ['environmentId', 'name', 'url', 'timeoutMs', 'cacheSeconds', 'createdAt', 'updatedAt'],
  `ON CONFLICT (environment_id, name) DO UPDATE SET url = excluded.url, timeout_ms = excluded.timeout_ms,
    cache_seconds = excluded.cache_seconds, updated_at = excluded.updated_at
    WHERE enricher.url <> excluded.url OR enricher.timeout_ms <> excluded.timeout_ms
      OR enricher.cache_seconds <> excluded.cache_seconds
    RETURNING ${VIEW.columns}`,
)

export const enricherWrites = {
  async saveEnricher(context: WriteContext, enricher: NewEnricher, audit: AuditEntry): Promise<Enricher> {
    const [row] = await UPSERT.write<RawRow>(context.sql, [enricher])
    if (row !== undefined) await recordAudit(context, audit)
    const saved = row === undefined ? await findEnricher(context.sql, enricher) : VIEW.read(row)
    if (saved === undefined) throw new Error('enricher missing after its upsert')
    return saved
  },
  async removeEnricher(
    context: WriteContext,
    environmentId: number,
    name: string,
    audit: AuditEntry,
  ): Promise<boolean> {
    const text = 'DELETE FROM enricher WHERE environment_id = ? AND name = ?'
    const removed = await context.sql.run(text, [environmentId, name])
    if (removed > 0) await recordAudit(context, audit)
    return removed > 0
  },
}

export function createEnricherRegistry(sql: Sql, writes: Writes<typeof enricherWrites>): EnricherRegistry {
  return {
    save: writes.saveEnricher,
    remove: writes.removeEnricher,
    find: (environmentId, name) => findEnricher(sql, { environmentId, name }),
    async findNames(environmentId, names) {
      const text = `SELECT name FROM enricher WHERE environment_id = ? AND name IN (${names.map(() => '?').join(', ')})`
      return (await sql.all<Pick<Enricher, 'name'>>(text, [environmentId, ...names])).map(({ name }) => name)
    },
    async list(environmentId, before, limit) {
      const text = `SELECT ${VIEW.columns} FROM enricher WHERE environment_id = ? AND enricher_no < ? ORDER BY enricher_no DESC LIMIT ?`
      const rows = await sql.all<RawRow>(text, [environmentId, before ?? Number.MAX_SAFE_INTEGER, limit])
      return rows.map(VIEW.read)
    },
  }
}

async function findEnricher(
  sql: Pick<Sql, 'one'>,
  { environmentId, name }: Pick<Enricher, 'environmentId' | 'name'>,
): Promise<Enricher | undefined> {
  const text = `SELECT ${VIEW.columns} FROM enricher WHERE environment_id = ? AND name = ?`
  const row = await sql.one<RawRow>(text, [environmentId, name])
  return row && VIEW.read(row)
}
