// Keeps in a row of `meta` what the last server that started says about itself.

import type { Installation, Installations } from '../../domain/tenant/installation.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

export const installationWrites = {
  async saveInstallation({ sql }: WriteContext, installation: Installation): Promise<void> {
    await sql.run(
      `INSERT INTO meta (name, value) VALUES ('server', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [JSON.stringify(installation)],
    )
  },
}

export function createInstallations(sql: Sql, writes: Writes<typeof installationWrites>): Installations {
  return {
    save: writes.saveInstallation,
    async find() {
      const row = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = 'server'`)
      return row === undefined ? undefined : (JSON.parse(row.value) as Installation)
    },
  }
}
