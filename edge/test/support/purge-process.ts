// A process that does nothing but retention on a store, so that a test can kill it in the middle: `purge-process.ts <now> <steps>`, on the store that its settings name.

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
  retention: {
    purgeStep(environmentId, before) {
      begun += 1
      if (begun > Number(steps)) return waitForKill()
      // Whoever listens may kill this process at any moment from here on.
      process.stdout.write('step\n')
      return retention.purgeStep(environmentId, before)
    },
  },
  bus: { publish() {} },
  clock,
  rest: async () => {},
})
await run()
process.stdout.write('done\n')
await stores.close()

/** Goes no further, however long whoever listens stands still. */
function waitForKill(): Promise<never> {
  return new Promise(() => setInterval(() => {}, 60_000))
}
