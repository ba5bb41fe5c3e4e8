// The process: an edge from the environment's settings, until it is told to stop.

import { DEMO_CAMPAIGNS } from '../demo/campaigns/index.ts'
import { answerDemoKeys } from './app/demo-keys.ts'
import { scrub } from './lib/log.ts'
import { type RunningEdge, startEdge } from './serve.ts'
import { runUntilSignal } from './signals.ts'

const waiting = new AbortController()
// With SEED_DEMO a script finds what `npm start` gives it, but for the shop's pages and enrichers.
const starting: Promise<RunningEdge> = startEdge(process.env, {
  signal: waiting.signal,
  seedCampaigns: DEMO_CAMPAIGNS,
  site: async (request) => answerDemoKeys((await starting).demo, request),
})
runUntilSignal(starting, waiting)
starting.catch((error: unknown) => {
  // Told to stop before its database was there: nothing is left to do.
  if (waiting.signal.aborted) process.exit(0)
  // Problems of the operator's making say what to do in their message; a stack would only hide it.
  process.stderr.write(`${scrub(error instanceof Error ? error.message : String(error))}\n`)
  process.exit(1)
})
