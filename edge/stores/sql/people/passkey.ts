// Stores passkeys. Their counters change with the session that they permit (dashboard-session.ts).

import type { AuditEntry } from '../../../domain/audit.ts'
import { MAX_PASSKEYS, type PasskeyResult, type Passkeys, type StoredPasskey } from '../../../domain/people/passkey.ts'
import { formatId } from '../../../lib/id.ts'
import { PASSKEY } from '../../tables/people.ts'
import { insertOne, namesOf, type RawRow, view } from '../../tables/table.ts'
import { recordAudit } from '../audit.ts'
import type { Sql } from '../sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from '../write.ts'

const VIEW = view(PASSKEY, '', namesOf(PASSKEY.columns))
const INSERT = insertOne(PASSKEY, undefined, 'ON CONFLICT (credential_id) DO NOTHING')

export const passkeyWrites = {
  async addPasskey(
    context: WriteContext,
    passkey: StoredPasskey,
    sessionId: number,
    audit: AuditEntry,
  ): Promise<PasskeyResult> {
    const { sql } = context
    const { id, personId } = passkey
    await sql.one(`SELECT id FROM person WHERE id = ?${sql.forUpdate}`, [personId])
    const session = 'SELECT id FROM dashboard_session WHERE id = ? AND person_id = ?'
    if ((await sql.one(session, [sessionId, personId])) === undefined) return 'session-ended'
    const counted = await sql.one<{ count: number }>('SELECT COUNT(*) AS count FROM passkey WHERE person_id = ?', [
      personId,
    ])
    if (Number(counted?.count ?? 0) >= MAX_PASSKEYS) return 'full'
    if ((await INSERT(sql, passkey)) === 0) return 'known'
    await raiseIdFloor(context, id)
    await recordAudit(context, audit)
    return 'added'
  },
  async renamePasskey(
    context: WriteContext,
    personId: number,
    id: number,
    { from, to }: { from: string; to: string },
    audit: AuditEntry,
  ): Promise<boolean> {
    const text = 'UPDATE passkey SET name = ? WHERE person_id = ? AND id = ? AND name = ?'
    const isRenamed = (await context.sql.run(text, [to, personId, id, from])) > 0
    if (isRenamed) await recordAudit(context, audit)
    return isRenamed
  },
  async removePasskey(context: WriteContext, personId: number, id: number, audit: AuditEntry): Promise<boolean> {
    const isRemoved = (await context.sql.run('DELETE FROM passkey WHERE person_id = ? AND id = ?', [personId, id])) > 0
    if (isRemoved) await recordAudit(context, audit)
    return isRemoved
  },
}

/** @param audit Of what removes them; each passkey has an entry of its own. @returns Their number. */
export async function removeAllPasskeys(context: WriteContext, personId: number, audit: AuditEntry): Promise<number> {
  const text = 'DELETE FROM passkey WHERE person_id = ? RETURNING id, name'
  const removed = await context.sql.all<Pick<StoredPasskey, 'id' | 'name'>>(text, [personId])
  for (const { id, name } of removed) {
    const subject = formatId('passkey', id)
    await recordAudit(context, { ...audit, action: 'passkey.remove', subject, detail: { name } })
  }
  return removed.length
}

export function createPasskeys(sql: Sql, writes: Writes<typeof passkeyWrites>): Passkeys {
  return {
    add: writes.addPasskey,
    rename: writes.renamePasskey,
    remove: writes.removePasskey,
    async list(personId) {
      const rows = await sql.all<RawRow>(`SELECT ${VIEW.columns} FROM passkey WHERE person_id = ? ORDER BY id DESC`, [
        personId,
      ])
      return rows.map(VIEW.read)
    },
    async findByCredential(credentialId) {
      const row = await sql.one<RawRow>(`SELECT ${VIEW.columns} FROM passkey WHERE credential_id = ?`, [credentialId])
      return row && VIEW.read(row)
    },
  }
}
