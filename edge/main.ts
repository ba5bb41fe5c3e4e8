// The process: an edge from the environment's settings, until it is told to stop.

import { scrub } from './lib/log.ts'
import { startEdge } from './serve.ts'
import { runUntilSignal } from './signals.ts'

const waiting = new AbortController()
const starting = startEdge(process.env, { signal: waiting.signal })
runUntilSignal(starting, waiting)
starting.catch((error: unknown) => {
  // Told to stop before its database was there: nothing is left to do.
  if (waiting.signal.aborted) process.exit(0)
  // Problems of the operator's making say what to do in their message; a stack would only hide it.
  process.stderr.write(`${scrub(error instanceof Error ? error.message : String(error))}\n`)
  process.exit(1)
})
