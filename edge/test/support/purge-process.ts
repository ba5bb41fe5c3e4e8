// A process that does nothing but retention on a store, so that a test can kill it in the middle: `purge-process.ts <now>`, on the store that its settings name.

import { createPurgeExpired } from '../../flow/retention/purge-expired.ts'
import { openStoresOf } from './open-stores.ts'

const [now = ''] = process.argv.slice(2)
const clock = { now: () => Number(now) }
const stores = await openStoresOf(process.env, clock)
const { organisations, environments, retention } = stores
const { run } = createPurgeExpired({
  organisations,
  environments,
  retention: {
    purgeStep(environmentId, before) {
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
