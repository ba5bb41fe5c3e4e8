// Stores the enrichers of environments.

import type { AuditEntry } from '../../domain/audit.ts'
import type { Enricher, EnricherRegistry, NewEnricher } from '../../domain/enricher.ts'
import { recordAudit } from './audit.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

interface Row {
  enricher_no: number
  environment_id: number
  name: string
  url: string
  timeout_ms: number
  cache_seconds: number
  created_at: number
  updated_at: number
}
const INSERTED = 'environment_id, name, url, timeout_ms, cache_seconds, created_at, updated_at'
const COLUMNS = `enricher_no, ${INSERTED}`

export const enricherWrites = {
  async saveEnricher(context: WriteContext, enricher: NewEnricher, audit: AuditEntry): Promise<Enricher> {
    const { environmentId, name, url, timeoutMs, cacheSeconds, createdAt, updatedAt } = enricher
    const row = await context.sql.one<Row>(
      `INSERT INTO enricher (${INSERTED}) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (environment_id, name) DO UPDATE SET url = excluded.url, timeout_ms = excluded.timeout_ms,
          cache_seconds = excluded.cache_seconds, updated_at = excluded.updated_at
          WHERE enricher.url <> excluded.url OR enricher.timeout_ms <> excluded.timeout_ms
            OR enricher.cache_seconds <> excluded.cache_seconds
        RETURNING ${COLUMNS}`,
      [environmentId, name, url, timeoutMs, cacheSeconds, createdAt, updatedAt],
    )
    if (row !== undefined) await recordAudit(context, audit)
    const saved = row ?? (await findRow(context.sql, environmentId, name))
    if (saved === undefined) throw new Error('enricher missing after its upsert')
    return toEnricher(saved)
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
    async find(environmentId, name) {
      const row = await findRow(sql, environmentId, name)
      return row && toEnricher(row)
    },
    async findNames(environmentId, names) {
      const text = `SELECT name FROM enricher WHERE environment_id = ? AND name IN (${names.map(() => '?').join(', ')})`
      return (await sql.all<Pick<Row, 'name'>>(text, [environmentId, ...names])).map(({ name }) => name)
    },
    async list(environmentId, before, limit) {
      const text = `SELECT ${COLUMNS} FROM enricher WHERE environment_id = ? AND enricher_no < ? ORDER BY enricher_no DESC LIMIT ?`
      const rows = await sql.all<Row>(text, [environmentId, before ?? Number.MAX_SAFE_INTEGER, limit])
      return rows.map(toEnricher)
    },
  }
}

function findRow(sql: Pick<Sql, 'one'>, environmentId: number, name: string): Promise<Row | undefined> {
  const text = `SELECT ${COLUMNS} FROM enricher WHERE environment_id = ? AND name = ?`
  return sql.one<Row>(text, [environmentId, name])
}

function toEnricher(row: Row): Enricher {
  return {
    enricherNo: row.enricher_no,
    environmentId: row.environment_id,
    name: row.name,
    url: row.url,
    timeoutMs: row.timeout_ms,
    cacheSeconds: row.cache_seconds,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
