// Secrets of environments (contract section 2). When one was last used is written by the commit.

import type { Secret, SecretKind, Secrets } from '../../domain/secret.ts'
import type { Sql } from './sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

interface Row {
  id: number
  environment_id: number
  kind: SecretKind
  hash: string
  plain: string | null
  sealed: string | null
  created_at: number
  retires_at: number | null
  last_used_at: number | null
}
const COLUMNS = 'id, environment_id, kind, hash, plain, sealed, created_at, retires_at, last_used_at'

export const secretWrites = {
  async createSecret(context: WriteContext, secret: Secret): Promise<void> {
    const { id, environmentId, kind, hash, plain, sealed, createdAt, retiresAt, lastUsedAt } = secret
    await context.sql.run(`INSERT INTO secret (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
      id,
      environmentId,
      kind,
      hash,
      plain,
      sealed,
      createdAt,
      retiresAt,
      lastUsedAt,
    ])
    await raiseIdFloor(context, id)
  },
  async retireSecret(context: WriteContext, id: number, retiresAt: number): Promise<void> {
    await context.sql.run('UPDATE secret SET retires_at = ? WHERE id = ?', [retiresAt, id])
  },
}

export function createSecrets(sql: Sql, writes: Writes<typeof secretWrites>): Secrets {
  return {
    create: writes.createSecret,
    retire: writes.retireSecret,
    async findByHash(kind, hash) {
      const row = await sql.one<Row>(`SELECT ${COLUMNS} FROM secret WHERE kind = ? AND hash = ?`, [kind, hash])
      return row && toSecret(row)
    },
    async list(environmentId, kind) {
      const text = `SELECT ${COLUMNS} FROM secret WHERE environment_id = ? AND kind = ? ORDER BY id DESC`
      return (await sql.all<Row>(text, [environmentId, kind])).map(toSecret)
    },
  }
}

function toSecret(row: Row): Secret {
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
  }
}
