// Runs an edge with the settings of the environment until a stop signal.

import { scrub } from './lib/log.ts'
import { RELEASE } from './lib/release.ts'
import { startEdge } from './serve.ts'
import { runUntilSignal } from './signals.ts'

if (process.argv.includes('--version')) {
  process.stdout.write(`${RELEASE}\n`)
  process.exit()
}
const waiting = new AbortController()
// With SEED_DEMO it has the same data as `npm start`, but not the pages and enrichers of the shop.
const starting = startEdge(process.env, { signal: waiting.signal })
runUntilSignal(starting, waiting)
starting.catch((error: unknown) => {
  // A stop signal came before the database was reachable: nothing has to be drained.
  if (waiting.signal.aborted) process.exit(0)
  // The message contains what the operator must do; a stack trace would hide it.
  process.stderr.write(`${scrub(error instanceof Error ? error.message : String(error))}\n`)
  process.exit(1)
})
