// Stores and searches the audit log.

import type { AuditActor, AuditEntry, AuditFilter, AuditLog } from '../../domain/audit.ts'
import type { Param, Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

interface Row {
  at: number
  actor: AuditActor
  who: string
  action: string
  environment_id: number | null
  subject: string
  detail: string
  organisation_id: number | null
  correlation_id: string | null
}
const COLUMNS = 'at, actor, who, action, environment_id, subject, detail, organisation_id, correlation_id'

/** Writes an entry. Audited writes call it in their own transaction. */
export async function recordAudit({ sql }: WriteContext, entry: AuditEntry): Promise<void> {
  const { at, actor, who, action, environmentId, subject, detail } = entry
  await sql.run(`INSERT INTO audit_entry (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
    at,
    actor,
    who,
    action,
    environmentId,
    subject,
    JSON.stringify(detail),
    entry.organisationId ?? null,
    entry.correlationId ?? null,
  ])
}

export const auditWrites = { recordAudit }

export function createAuditLog(sql: Sql, writes: Writes<typeof auditWrites>): AuditLog {
  return {
    record: writes.recordAudit,
    async list(environmentId, limit) {
      const where = environmentId === null ? '' : 'WHERE environment_id = ?'
      const text = `SELECT ${COLUMNS} FROM audit_entry ${where} ORDER BY number DESC LIMIT ?`
      const rows = await sql.all<Row>(text, environmentId === null ? [limit] : [environmentId, limit])
      return rows.map(toEntry)
    },
    search: (filter, limit) => search(sql, filter, limit),
  }
}

const OF_ORGANISATION =
  '(organisation_id = ? OR environment_id IN (SELECT id FROM environment WHERE organisation_id = ?))'

async function search(sql: Sql, filter: AuditFilter, limit: number): Promise<AuditEntry[]> {
  const conditions: string[] = []
  const params: Param[] = []
  const add = (where: string, param: Param | undefined) => {
    if (param === undefined) return
    conditions.push(where)
    // A condition with several placeholders has the same value for each.
    for (const _ of where.matchAll(/\?/g)) params.push(param)
  }
  const { action } = filter
  add('environment_id = ?', filter.environmentId)
  add(OF_ORGANISATION, filter.organisationId)
  if (action?.includes('.')) add('action = ?', action)
  else if (action !== undefined) add(`substr(action, 1, ${action.length + 1}) = ?`, `${action}.`)
  add('who = ?', filter.who)
  add('at >= ?', filter.from)
  add('at <= ?', filter.to)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const text = `SELECT ${COLUMNS} FROM audit_entry ${where} ORDER BY number DESC LIMIT ?`
  return (await sql.all<Row>(text, [...params, limit])).map(toEntry)
}

function toEntry(row: Row): AuditEntry {
  const { at, actor, who, action, environment_id: environmentId, subject } = row
  const { organisation_id: organisationId, correlation_id: correlationId } = row
  const detail = JSON.parse(row.detail) as AuditEntry['detail']
  return { at, actor, who, action, environmentId, organisationId, correlationId, subject, detail }
}
