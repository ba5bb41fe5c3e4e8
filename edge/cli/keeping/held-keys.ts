// Checks which master keys are available, for sealed data of another store.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandContext } from '../command-context.ts'

/** @returns The missing keys of `sealedUnder`. Does not open a folder without a key, as that would generate one. */
export async function listMissingKeys(context: CommandContext, sealedUnder: string[]): Promise<string[]> {
  const { masterKeys, dataDir } = context.settings()
  const hasKeys = masterKeys !== null || existsSync(join(dataDir, 'master.key'))
  const keyIds = hasKeys ? (await context.sealer()).keyIds : []
  return sealedUnder.filter((id) => !keyIds.includes(id))
}
