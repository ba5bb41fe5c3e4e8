// Checks which master keys are available, for sealed data of another store.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Workplace } from '../workplace.ts'

/** @returns The missing keys of `sealedUnder`. Does not open a folder without a key, as that would generate one. */
export async function listMissingKeys(place: Workplace, sealedUnder: string[]): Promise<string[]> {
  const { masterKeys, dataDir } = place.settings()
  const hasKeys = masterKeys !== null || existsSync(join(dataDir, 'master.key'))
  const keyIds = hasKeys ? (await place.sealer()).keyIds : []
  return sealedUnder.filter((id) => !keyIds.includes(id))
}
