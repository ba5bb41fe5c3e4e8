// `npm run stats:rebuild`: recomputes the counters of every funnel from the delivery events and the ledger of what retention
// purged, and says how many differed (contract section 6). Works on the store of DATA_DIR while no server has it.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSettings } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { openSqliteStores } from '../stores/sqlite.ts'

async function rebuild(): Promise<void> {
  const { dataDir } = parseSettings(process.env)
  if (!existsSync(join(dataDir, 'store.db')))
    throw new Error(`There is no store in ${resolve(dataDir)}; DATA_DIR names another folder.`)
  const stores = await openSqliteStores({ dataDir, clock: systemClock })
  try {
    const { counters, differed } = await stores.funnels.rebuild()
    process.stdout.write(
      `${JSON.stringify({ counters, differed })}\n` +
        `${counters} counters in ${resolve(dataDir)}, ${differed === 0 ? 'none differed' : `${differed} differed and were put right`}.\n`,
    )
  } finally {
    await stores.close()
  }
}

rebuild().catch((error: unknown) => {
  // The store's own words say when a server has the folder.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
