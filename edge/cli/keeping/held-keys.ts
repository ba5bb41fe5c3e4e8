// Which master keys are at hand, for what comes sealed from elsewhere.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Workplace } from '../workplace.ts'

/** Those of `sealedUnder` that are not here. Opening the keys of a folder that has none would make one, of which nobody asked. */
export async function listMissingKeys(place: Workplace, sealedUnder: string[]): Promise<string[]> {
  const { masterKeys, dataDir } = place.settings()
  const hasKeys = masterKeys !== null || existsSync(join(dataDir, 'master.key'))
  const keyIds = hasKeys ? (await place.sealer()).keyIds : []
  return sealedUnder.filter((id) => !keyIds.includes(id))
}
