// Implements `nc master-key rotate`, which seals all secrets again with another master key.

import { rotateMasterKeyFile } from '../../auth/master-key.ts'
import { resealSecrets } from '../../flow/tenant/reseal-secrets.ts'
import { createSealer } from '../../lib/seal.ts'
import { lockSqlite } from '../../stores/sqlite/backup.ts'
import type { Command, Outcome } from '../command.ts'
import type { CommandContext } from '../command-context.ts'

export const masterKeyCommands: Command[] = [
  {
    noun: 'master-key',
    verb: 'rotate',
    summary: 'Seals every secret anew: under the first key of MASTER_KEY, or under a new one in the generated file.',
    async run(_, context) {
      const { masterKeys, dataDir } = context.settings()
      return masterKeys === null ? rotateFile(context, dataDir) : rotateList(context, masterKeys)
    },
  },
]

/** The server must have the first key already, so that it can open secrets that are sealed again. */
async function rotateList(context: CommandContext, masterKeys: Uint8Array[]): Promise<Outcome> {
  const { stores, sealer, clock } = await context.tools()
  const held = await stores.rotations.listKeys()
  if ((await isInUse(context)) && held[0] !== sealer.keyIds[0]) {
    throw new Error(
      'The running server does not have the first key of MASTER_KEY as its own first one. Restart it with MASTER_KEY set to the new key, a comma and the old one, and call this again.',
    )
  }
  const resealed = await resealSecrets({ rotations: stores.rotations, sealer })
  const entry = {
    at: clock.now(),
    ...context.by,
    action: 'master-key.rotate',
    environmentId: null,
    subject: 'MASTER_KEY',
  }
  await stores.audit.record({ ...entry, detail: { resealed } })
  const rest =
    masterKeys.length > 1 ? 'Everything is sealed under the first key: the others can go from MASTER_KEY.' : ''
  return { data: { resealed }, lines: [`Sealed ${resealed} values anew.`, ...(rest === '' ? [] : [rest])] }
}

async function isInUse(context: CommandContext): Promise<boolean> {
  const store = await context.openMaintenanceStore({ exclusive: false })
  return store.isInUse().finally(() => store.close())
}

/** No other process may have the old file in memory, so the folder is locked during the rotation. */
async function rotateFile(context: CommandContext, dataDir: string): Promise<Outcome> {
  const { stores, clock } = await context.tools()
  const unlock = await lockSqlite(dataDir)
  try {
    const { resealed, resumed } = await rotateMasterKeyFile(dataDir, (keys) =>
      resealSecrets({ rotations: stores.rotations, sealer: createSealer(keys) }),
    )
    const entry = {
      at: clock.now(),
      ...context.by,
      action: 'master-key.rotate',
      environmentId: null,
      subject: 'master.key',
    }
    await stores.audit.record({ ...entry, detail: { resealed, resumed } })
    const first = resumed ? 'Finished the rotation that was begun before.' : 'The file holds a new key.'
    const old = 'Backups and exports from before need the former key, which this folder has no more: take new ones.'
    return { data: { resealed, resumed }, lines: [first, `Sealed ${resealed} values anew.`, old] }
  } finally {
    unlock()
  }
}
