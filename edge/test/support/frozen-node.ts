// Runs a node that tests freeze: it claims a job, prints it, and tries to write at each line of input.

import { createInterface } from 'node:readline'
import type { TrackPlan } from '../../domain/plan.ts'
import { systemClock } from '../../lib/clock.ts'
import { openPostgresStores } from '../../stores/postgres.ts'

const [, , url = '', nodeLeaseMs = '15000', jobLeaseMs = '60000'] = process.argv
const stores = await openPostgresStores({ url, clock: systemClock, nodeLeaseMs: Number(nodeLeaseMs) })
const print = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)
const [job] = await stores.jobs.claim(systemClock.now(), Number(jobLeaseMs), 1, ['k'])
print({ node: stores.nodeNumber(), job })

/** Returns a plan that only completes the job, or an empty plan. */
function plan(completes: TrackPlan['completes']): TrackPlan {
  const event = null
  const lists = { runs: [], messages: [], jobs: [], waits: [] }
  return {
    kind: 'track',
    environmentId: 1,
    secretId: null,
    now: systemClock.now(),
    event,
    idempotency: null,
    profile: null,
    ...lists,
    completes,
    continues: null,
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'end') break
  const completes = job === undefined ? null : { environmentId: job.environmentId, id: job.id, fence: job.fence }
  await stores.commit.track(plan(completes)).then(
    ({ result }) => print({ result, node: stores.nodeNumber() }),
    (error: Error) => print({ result: 'refused', error: error.message }),
  )
}
await stores.close()
