// Rotates secrets; writes each change and its audit entry in one transaction.

import type { AuditEntry } from '../../domain/audit.ts'
import type { Secret } from '../../domain/secret.ts'
import type {
  OverlapEnd,
  SealedPlace,
  SealedTable,
  SealedText,
  SecretRotations,
} from '../../domain/tenant/secret-rotation.ts'
import { SECRET } from '../tables/secret.ts'
import { type RawRow, type RowOf, view } from '../tables/table.ts'
import { recordAudit } from './audit.ts'
import { isOpen } from './closed.ts'
import { lockOwner } from './revision.ts'
import { SECRET_VIEW, secretWrites } from './secret.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

/** A value that ends within this time cannot be extended: it may have been retired while this change waited for its lock. */
const ENDING_MS = 10_000

/** The columns that identify a sealed text of each table; no environment where the key has none. */
const SEALED_KEYS: Record<SealedTable, { environment: string | null; id: string }> = {
  secret: { environment: 'environment_id', id: 'id' },
  totp: { environment: null, id: 'person_id' },
  single_sign_on: { environment: null, id: 'organisation_id' },
  mail_integration: { environment: 'environment_id', id: 'id' },
}

const LIVE = view(SECRET, '', ['id', 'retiresAt'])

/**
 * Reads live values after it has locked the environment: row locks would miss a value that another rotation adds.
 */
async function listLive(context: WriteContext, environmentId: number, kind: string): Promise<RowOf<typeof LIVE>[]> {
  const { sql, now } = context
  await lockOwner(context, 'environment', environmentId)
  return sql.all<RowOf<typeof LIVE>>(
    `SELECT ${LIVE.columns} FROM secret WHERE environment_id = ? AND kind = ? AND settled_at IS NULL
      AND (retires_at IS NULL OR retires_at > ?) ORDER BY id DESC ${sql.forUpdate}`,
    [environmentId, kind, now],
  )
}

/** @returns The values of the key of a sealed text. */
const placeOf = (table: SealedTable, { environmentId, id }: SealedPlace) =>
  SEALED_KEYS[table].environment === null ? [id] : [environmentId, id]

export const rotationWrites = {
  async rotateSecret(
    context: WriteContext,
    secret: Secret,
    oldRetiresAt: number | null,
    audit: AuditEntry,
  ): Promise<'rotated' | 'overlap'> {
    const live = await listLive(context, secret.environmentId, secret.kind)
    if (oldRetiresAt !== null && live.length > 1) return 'overlap'
    for (const { id } of live) {
      await secretWrites.retireSecret(context, secret.environmentId, id, oldRetiresAt ?? context.now)
    }
    await secretWrites.createSecret(context, secret)
    await recordAudit(context, audit)
    return 'rotated'
  },
  async moveSecretEnd(
    context: WriteContext,
    { environmentId, kind, change, retiresAt }: OverlapEnd,
    audit: AuditEntry,
  ): Promise<'moved' | 'single' | 'refused'> {
    const live = await listLive(context, environmentId, kind)
    const old = live.find((row) => row.retiresAt !== null)
    // The only live value has no end: a newer value must exist first.
    if (old === undefined || old.retiresAt === null || live.length < 2) return 'single'
    if (change === 'extend' && old.retiresAt <= context.now + ENDING_MS) return 'single'
    if (change === 'extend' ? retiresAt <= old.retiresAt : retiresAt > old.retiresAt) return 'refused'
    await secretWrites.retireSecret(context, environmentId, old.id, retiresAt)
    await recordAudit(context, audit)
    return 'moved'
  },
  async settleSecret({ sql }: WriteContext, environmentId: number, id: number, now: number): Promise<void> {
    // A secret whose end was moved meanwhile stays live.
    await sql.run(
      `UPDATE secret SET settled_at = ?, sealed = NULL, plain = NULL
        WHERE environment_id = ? AND id = ? AND retires_at <= ?`,
      [now, environmentId, id, now],
    )
  },
  async resealSecret(
    { sql }: WriteContext,
    { environmentId, id, sealed }: SealedText,
    to: string,
    table: SealedTable = 'secret',
  ): Promise<boolean> {
    const key = SEALED_KEYS[table]
    const own = key.environment === null ? '' : `${key.environment} = ? AND `
    const text = `UPDATE ${table} SET sealed = ? WHERE ${own}${key.id} = ? AND sealed = ?`
    return (await sql.run(text, [to, ...placeOf(table, { environmentId, id }), sealed])) > 0
  },
  async saveMasterKeyIds({ sql }: WriteContext, keyIds: readonly string[]): Promise<void> {
    await sql.run(
      `INSERT INTO meta (name, value) VALUES ('master_keys', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [keyIds.join(',')],
    )
  },
}

export function createSecretRotations(sql: Sql, writes: Writes<typeof rotationWrites>): SecretRotations {
  return {
    rotate: writes.rotateSecret,
    moveEnd: writes.moveSecretEnd,
    settle: writes.settleSecret,
    reseal: writes.resealSecret,
    saveKeyIds: writes.saveMasterKeyIds,
    async listKeys() {
      const row = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = 'master_keys'`)
      return row === undefined ? [] : row.value.split(',')
    },
    async listRetired(now, limit) {
      const text = `SELECT ${SECRET_VIEW.columns} FROM secret
        WHERE retires_at IS NOT NULL AND retires_at <= ? AND settled_at IS NULL AND ${isOpen('environment_id')} ORDER BY retires_at LIMIT ?`
      return (await sql.all<RawRow>(text, [now, limit])).map(SECRET_VIEW.read)
    },
    listSealed(after, limit, table = 'secret') {
      const { environment, id } = SEALED_KEYS[table]
      const key = environment === null ? id : `${environment}, ${id}`
      const place = environment === null ? '?' : '?, ?'
      return sql.all<SealedText>(
        `SELECT ${environment ?? 0} AS "environmentId", ${id} AS id, sealed FROM ${table}
          WHERE (${key}) > (${place}) AND sealed IS NOT NULL ORDER BY ${key} LIMIT ?`,
        [...placeOf(table, after ?? { environmentId: 0, id: 0 }), limit],
      )
    },
  }
}
