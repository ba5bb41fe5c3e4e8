// Adds old messages to a new store and prints the organisation's id: `old-messages.ts <folder> <number>`.

import { loadMasterKeys } from '../../auth/master-key.ts'
import { formatId } from '../../lib/id.ts'
import { openSqliteStores } from '../../stores/sqlite/stores.ts'
import { DAY_MS, givenRetention } from '../retention/given-retention.ts'

const PER_CALL = 2000

const [dataDir = '', count = ''] = process.argv.slice(2)
const now = Date.now()
// A store without its key is refused.
await loadMasterKeys(null, dataDir)
const stores = await openSqliteStores({ dataDir, clock: { now: () => now } })
const given = await givenRetention(stores, { retentionDays: 3650 })
for (let done = 0; done < Number(count); done += PER_CALL) await given.fill(PER_CALL, now - 100 * DAY_MS)
await stores.close()
process.stdout.write(formatId('organisation', given.organisationId))
