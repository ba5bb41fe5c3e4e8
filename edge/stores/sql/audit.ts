// Stores and searches the audit log.

import type { AuditEntry, AuditFilter, AuditLog } from '../../domain/audit.ts'
import { AUDIT_ENTRY, ENTRY_FIELDS } from '../tables/audit.ts'
import { type RawRow, view } from '../tables/table.ts'
import type { Param, Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const VIEW = view(AUDIT_ENTRY, '', ENTRY_FIELDS)
const NUMBERED = view(AUDIT_ENTRY, '', ['number', ...ENTRY_FIELDS])

// The organisation of an environment stands in each entry, so that one index serves the log of an organisation.
const INSERT = `INSERT INTO audit_entry (at, actor, who, action, environment_id, subject, detail, organisation_id,
  correlation_id) VALUES (?, ?, ?, ?, ?, ?, ?,
  COALESCE(CAST(? AS BIGINT), (SELECT e.organisation_id FROM environment e WHERE e.id = ?)), ?)`

/** Writes an entry. Audited writes call it in their own transaction. */
export async function recordAudit({ sql }: WriteContext, entry: AuditEntry): Promise<void> {
  const { at, actor, who, action, environmentId, subject, detail } = entry
  await sql.run(INSERT, [
    at,
    actor,
    who,
    action,
    environmentId,
    subject,
    JSON.stringify(detail),
    entry.organisationId ?? null,
    environmentId,
    entry.correlationId ?? null,
  ])
}

export const auditWrites = { recordAudit }

export function createAuditLog(sql: Sql, writes: Writes<typeof auditWrites>): AuditLog {
  return {
    record: writes.recordAudit,
    async list(environmentId, limit) {
      const where = environmentId === null ? '' : 'WHERE environment_id = ?'
      const text = `SELECT ${VIEW.columns} FROM audit_entry ${where} ORDER BY number DESC LIMIT ?`
      const rows = await sql.all<RawRow>(text, environmentId === null ? [limit] : [environmentId, limit])
      return rows.map(VIEW.read)
    },
    search: async (filter, limit) => (await search(sql, filter, null, limit)).map(VIEW.read),
    page: async (filter, before, limit) => (await search(sql, filter, before, limit)).map(NUMBERED.read),
  }
}

async function search(sql: Sql, filter: AuditFilter, before: number | null, limit: number): Promise<RawRow[]> {
  const conditions: string[] = []
  const params: Param[] = []
  const add = (where: string, param: Param | undefined) => {
    if (param === undefined) return
    conditions.push(where)
    params.push(param)
  }
  const { action } = filter
  add('environment_id = ?', filter.environmentId)
  add('organisation_id = ?', filter.organisationId)
  if (action?.includes('.')) add('action = ?', action)
  else if (action !== undefined) add(`substr(action, 1, ${action.length + 1}) = ?`, `${action}.`)
  add('who = ?', filter.who)
  add('actor = ?', filter.actor)
  add('at >= ?', filter.from)
  add('at <= ?', filter.to)
  add('number < ?', before ?? undefined)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const text = `SELECT ${NUMBERED.columns} FROM audit_entry ${where} ORDER BY number DESC LIMIT ?`
  return sql.all<RawRow>(text, [...params, limit])
}
