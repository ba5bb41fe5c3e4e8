// Runs `npm run stats:rebuild`, which recomputes the counters of every funnel and step and prints how many differed. Its sources
// are delivery events, traces, messages, and the ledgers of purged ones. A server may run on the same store.

import { resolve } from 'node:path'
import { parseSettings } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { findStoreFault } from './doctor/explain-fault.ts'
import { openExternalStore } from './open-store.ts'

async function rebuild(): Promise<void> {
  const settings = parseSettings(process.env)
  const stores = await openExternalStore(settings, systemClock)
  const { counters, differed } = await stores.funnels.rebuild().finally(() => stores.close())
  const verdict = differed === 0 ? 'none differed' : `${differed} differed and were put right`
  const place = settings.databaseUrl === null ? resolve(settings.dataDir) : stores.engine
  // The first line is for programs, the second for people.
  process.stdout.write(`${JSON.stringify({ counters, differed })}\n`)
  process.stdout.write(`${counters} counters in ${place}, ${verdict}.\n`)
}

rebuild().catch((error: unknown) => {
  // The message tells the operator what to do; a stack trace would only hide it.
  const words = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${findStoreFault(error, () => parseSettings(process.env).databaseUrl) ?? words}\n`)
  process.exitCode = 1
})
