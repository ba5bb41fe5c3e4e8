// Runs only retention on the store of its settings, so that a test can kill it: `purge-process.ts <now> <steps>`.

import { createPurgeExpired } from '../../flow/retention/purge-expired.ts'
import { openStoresOf } from './open-stores.ts'

const [now = '', steps = 'Infinity'] = process.argv.slice(2)
const clock = { now: () => Number(now) }
const stores = await openStoresOf(process.env, clock)
const { organisations, environments, retention } = stores
let begun = 0
const { run } = createPurgeExpired({
  organisations,
  environments,
  purgeStep(environmentId, before) {
    begun += 1
    if (begun > Number(steps)) return waitForKill()
    // The parent may kill this process at any moment from here on.
    process.stdout.write('step\n')
    return retention.purgeStep(environmentId, before)
  },
  sweepMailFiles: async () => {},
  clock,
  rest: async () => {},
})
await run()
process.stdout.write('done\n')
await stores.close()

/** Blocks until the kill, however late the parent sends it. */
function waitForKill(): Promise<never> {
  return new Promise(() => setInterval(() => {}, 60_000))
}
