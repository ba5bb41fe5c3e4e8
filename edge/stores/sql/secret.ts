// Stores the secrets of environments. The commit of a batch also updates when an sdkSecretKey was last used.

import { type KeptSecret, type Secret, type Secrets, SOURCE_KIND, type StoredSecretKind } from '../../domain/secret.ts'
import { insertRows, type Sql } from './sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

export interface SecretRow {
  id: number
  environment_id: number
  kind: StoredSecretKind
  hash: string
  plain: string | null
  sealed: string | null
  created_at: number
  retires_at: number | null
  last_used_at: number | null
  settled_at: number | null
}
export const SECRET_COLUMNS =
  'id, environment_id, kind, hash, plain, sealed, created_at, retires_at, last_used_at, settled_at'

const INSERT = insertRows('secret', {
  id: 'int',
  environment_id: 'int',
  kind: 'text',
  hash: 'text',
  plain: 'text',
  sealed: 'text',
  created_at: 'int',
  retires_at: 'int',
  last_used_at: 'int',
})

/** The first text after all that begin with `SOURCE_KIND`: the colon's successor is the semicolon. */
const AFTER_SOURCES = SOURCE_KIND.replace(/:$/, ';')

/** Inserts secrets in the caller's transaction. */
export async function insertSecrets(context: WriteContext, secrets: Secret[]): Promise<void> {
  const rows = secrets.map((one) => [
    one.id,
    one.environmentId,
    one.kind,
    one.hash,
    one.plain,
    one.sealed,
    one.createdAt,
    one.retiresAt,
    one.lastUsedAt,
  ])
  await context.sql.bulk(INSERT, rows)
  const newest = Math.max(0, ...secrets.map(({ id }) => id))
  if (newest > 0) await raiseIdFloor(context, newest)
}

export const secretWrites = {
  createSecret: (context: WriteContext, secret: Secret): Promise<void> => insertSecrets(context, [secret]),
  async retireSecret(context: WriteContext, id: number, retiresAt: number): Promise<void> {
    await context.sql.run('UPDATE secret SET retires_at = ? WHERE id = ?', [retiresAt, id])
  },
  async touchSecret(context: WriteContext, id: number, usedAt: number): Promise<void> {
    const text = 'UPDATE secret SET last_used_at = ? WHERE id = ? AND COALESCE(last_used_at, 0) < ?'
    await context.sql.run(text, [usedAt, id, usedAt])
  },
}

export function createSecrets(sql: Sql, writes: Writes<typeof secretWrites>): Secrets {
  return {
    create: writes.createSecret,
    retire: writes.retireSecret,
    touch: writes.touchSecret,
    async findByHash(kind, hash) {
      const row = await sql.one<SecretRow>(`SELECT ${SECRET_COLUMNS} FROM secret WHERE kind = ? AND hash = ?`, [
        kind,
        hash,
      ])
      return row && toSecret(row)
    },
    async list(environmentId, kind) {
      const text = `SELECT ${SECRET_COLUMNS} FROM secret WHERE environment_id = ? AND kind = ? ORDER BY id DESC`
      return (await sql.all<SecretRow>(text, [environmentId, kind])).map(toSecret)
    },
    async listOfSources(environmentId) {
      const text = `SELECT ${SECRET_COLUMNS} FROM secret
        WHERE environment_id = ? AND kind >= ? AND kind < ? ORDER BY id DESC`
      return (await sql.all<SecretRow>(text, [environmentId, SOURCE_KIND, AFTER_SOURCES])).map(toSecret)
    },
  }
}

export function toSecret(row: SecretRow): KeptSecret {
  return {
    id: row.id,
    environmentId: row.environment_id,
    kind: row.kind,
    hash: row.hash,
    plain: row.plain,
    sealed: row.sealed,
    createdAt: row.created_at,
    retiresAt: row.retires_at,
    lastUsedAt: row.last_used_at,
    settledAt: row.settled_at,
  }
}
