// Implements `nc backup` and `nc restore`: the store as one file.

import { resolve } from 'node:path'
import type { Settings } from '../../config.ts'
import { NC } from '../../lib/command-line.ts'
import { listMasterKeys } from '../../stores/portable/export-store.ts'
import { backupSqlite, restoreSqlite } from '../../stores/sqlite/backup.ts'
import { type Command, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { listMissingKeys } from './held-keys.ts'

export const backupCommands: Command[] = [
  {
    noun: 'backup',
    summary: 'Copies the store as it is at one moment into a file, while the server runs.',
    flags: { to: { value: 'path', meaning: 'The file; it must not exist.', required: true } },
    async run(input, context) {
      const { dataDir, masterKeys } = requireSqlite(context)
      const file = resolve(input.text('to'))
      context.lowerPriority()
      const { bytes } = await backupSqlite(dataDir, file)
      // The backup is made, whether or not the store can be written.
      await context
        .tools()
        .then(({ stores, clock }) => stores.installations.saveBackupAt(clock.now()))
        .catch(() => {})
      const key = masterKeys === null ? `${resolve(dataDir)}/master.key` : 'MASTER_KEY'
      return {
        data: { file, bytes },
        lines: [`Wrote ${file} (${bytes} bytes).`, `Keep ${key} too, elsewhere: without it no sealed secret opens.`],
      }
    },
  },
  {
    noun: 'restore',
    summary: 'Puts a backup in the place of the store; the former one is kept. Stop the server first.',
    flags: {
      from: { value: 'path', meaning: 'The backup.', required: true },
      yes: { meaning: 'Confirms it: what came after the backup is gone from the service.' },
    },
    async run(input, context) {
      if (!input.has('yes')) throw new UsageError('What came after the backup will be gone. Confirm with --yes.')
      const { kept } = await restoreSqlite(requireSqlite(context).dataDir, resolve(input.text('from')))
      const missing = await listMissingKeys(context, await readMasterKeys(context))
      const restored =
        missing.length === 0
          ? 'Restored. Start the server.'
          : `Restored. Its secrets are sealed under master key ${missing.join(', ')}, which is not here: put that key back (master.key in DATA_DIR, or MASTER_KEY), then start the server.`
      const lines = [restored, ...(kept === null ? [] : [`The former store is kept as ${kept}.`])]
      return { data: { kept, missingKeys: missing }, lines }
    },
  },
]

/** @returns The ids of the master keys that sealed the restored secrets. */
async function readMasterKeys(context: CommandContext): Promise<string[]> {
  const store = await context.openMaintenanceStore({ exclusive: false })
  try {
    return await store.snapshot((sql) => listMasterKeys(store, sql))
  } finally {
    await store.close()
  }
}

/** Checks that the store is SQLite, as only SQLite has backup files. @throws Error for the operator with PostgreSQL. */
function requireSqlite(context: CommandContext): Settings {
  const settings = context.settings()
  if (settings.databaseUrl === null) return settings
  throw new Error(
    `DATABASE_URL is set. PostgreSQL is backed up and restored by its own tools (pg_basebackup, pg_dump, pg_restore); a copy that moves to any engine is: ${NC} export --to <file>`,
  )
}
