// Stores the secrets of environments. The commit of a batch also updates when an sdkSecretKey was last used.

import { type Secret, type Secrets, SOURCE_KIND } from '../../domain/secret.ts'
import { SECRET, SECRET_FIELDS } from '../tables/secret.ts'
import { insertInto, type RawRow, view } from '../tables/table.ts'
import type { Sql } from './sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

export const SECRET_VIEW = view(SECRET, '', SECRET_FIELDS)
const INSERT = insertInto(SECRET, [
  'id',
  'environmentId',
  'kind',
  'hash',
  'plain',
  'sealed',
  'createdAt',
  'retiresAt',
  'lastUsedAt',
])

/** The first text after all that begin with `SOURCE_KIND`: the colon's successor is the semicolon. */
const AFTER_SOURCES = SOURCE_KIND.replace(/:$/, ';')

/** Inserts secrets in the caller's transaction. */
export async function insertSecrets(context: WriteContext, secrets: Secret[]): Promise<void> {
  await INSERT.write(context.sql, secrets)
  const newest = Math.max(0, ...secrets.map(({ id }) => id))
  if (newest > 0) await raiseIdFloor(context, newest)
}

export const secretWrites = {
  createSecret: (context: WriteContext, secret: Secret): Promise<void> => insertSecrets(context, [secret]),
  async retireSecret(context: WriteContext, environmentId: number, id: number, retiresAt: number): Promise<void> {
    await context.sql.run('UPDATE secret SET retires_at = ? WHERE environment_id = ? AND id = ?', [
      retiresAt,
      environmentId,
      id,
    ])
  },
  async touchSecret(context: WriteContext, environmentId: number, id: number, usedAt: number): Promise<void> {
    const text = `UPDATE secret SET last_used_at = ?
      WHERE environment_id = ? AND id = ? AND COALESCE(last_used_at, 0) < ?`
    await context.sql.run(text, [usedAt, environmentId, id, usedAt])
  },
}

export function createSecrets(sql: Sql, writes: Writes<typeof secretWrites>): Secrets {
  return {
    create: writes.createSecret,
    retire: writes.retireSecret,
    touch: writes.touchSecret,
    async findByHash(kind, hash) {
      const text = `SELECT ${SECRET_VIEW.columns} FROM secret WHERE kind = ? AND hash = ?`
      const row = await sql.one<RawRow>(text, [kind, hash])
      return row && SECRET_VIEW.read(row)
    },
    async list(environmentId, kind) {
      const text = `SELECT ${SECRET_VIEW.columns} FROM secret WHERE environment_id = ? AND kind = ? ORDER BY id DESC`
      return (await sql.all<RawRow>(text, [environmentId, kind])).map(SECRET_VIEW.read)
    },
    async listOfSources(environmentId) {
      const text = `SELECT ${SECRET_VIEW.columns} FROM secret
        WHERE environment_id = ? AND kind >= ? AND kind < ? ORDER BY id DESC`
      return (await sql.all<RawRow>(text, [environmentId, SOURCE_KIND, AFTER_SOURCES])).map(SECRET_VIEW.read)
    },
  }
}
