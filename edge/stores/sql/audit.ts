// The audit log (contract section 11, last paragraph).

import type { AuditActor, AuditEntry, AuditLog } from '../../domain/audit.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

interface Row {
  at: number
  actor: AuditActor
  who: string
  action: string
  environment_id: number | null
  subject: string
  detail: string
}
const COLUMNS = 'at, actor, who, action, environment_id, subject, detail'

/** Also called by the writes that are audited, in their own transaction. */
export async function recordAudit({ sql }: WriteContext, entry: AuditEntry): Promise<void> {
  const { at, actor, who, action, environmentId, subject, detail } = entry
  await sql.run(`INSERT INTO audit_entry (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`, [
    at,
    actor,
    who,
    action,
    environmentId,
    subject,
    JSON.stringify(detail),
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
  }
}

function toEntry(row: Row): AuditEntry {
  const { at, actor, who, action, environment_id: environmentId, subject } = row
  return { at, actor, who, action, environmentId, subject, detail: JSON.parse(row.detail) as AuditEntry['detail'] }
}
