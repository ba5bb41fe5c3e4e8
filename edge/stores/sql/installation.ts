// Keeps in rows of `meta` what the last server that started says about itself, and when the last backup was made.

import type { Installation, Installations } from '../../domain/tenant/installation.ts'
import { META } from '../tables/installation.ts'
import { insertOne } from '../tables/table.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const SAVE = insertOne(META, undefined, 'ON CONFLICT (name) DO UPDATE SET value = excluded.value')
const FIND = 'SELECT value FROM meta WHERE name = ?'

export const installationWrites = {
  async saveInstallation({ sql }: WriteContext, installation: Installation): Promise<void> {
    await SAVE(sql, { name: 'server', value: JSON.stringify(installation) })
  },
  async saveBackupAt({ sql }: WriteContext, at: number): Promise<void> {
    await SAVE(sql, { name: 'backup-at', value: String(at) })
  },
}

export function createInstallations(sql: Sql, writes: Writes<typeof installationWrites>): Installations {
  return {
    save: writes.saveInstallation,
    async find() {
      const row = await sql.one<{ value: string }>(FIND, ['server'])
      return row === undefined ? undefined : (JSON.parse(row.value) as Installation)
    },
    saveBackupAt: writes.saveBackupAt,
    async findBackupAt() {
      const row = await sql.one<{ value: string }>(FIND, ['backup-at'])
      return row === undefined ? null : Number(row.value)
    },
  }
}
