// Many stored messages, quickly: batches of 1,000 events through the public API, spread over users as a large deployment has them.

import { createCustomer } from './customer.ts'
import { saturate } from './load.ts'

const BATCH = 1000
const CONNECTIONS = 4
/** Of whom each has as many messages as the others. */
export const SEEDED_USERS = 20_000

export const seededUser = (at: number) => `seeded_${at % SEEDED_USERS}`

/** Adds so many inbox messages to the edge; `isFirst`: the campaign that makes them does not exist yet. */
export async function storeMessages(
  edgeUrl: string,
  dataDir: string,
  count: number,
  isFirst: boolean,
  say: (text: string) => void,
): Promise<void> {
  const customer = createCustomer(edgeUrl, dataDir)
  if (isFirst) await customer.publishCampaign()
  let sent = 0
  const begun = performance.now()
  const nextBatch = () => {
    const size = Math.min(BATCH, count - sent)
    const users = Array.from({ length: size }, (_, at) => seededUser(sent + at))
    sent += size
    if (sent % 100_000 === 0) say(`${sent.toLocaleString('en')} of ${count.toLocaleString('en')} messages stored`)
    return customer.trackBatch(users)
  }
  await saturate(edgeUrl, CONNECTIONS, { requests: Math.ceil(count / BATCH) }, nextBatch)
  say(`${count.toLocaleString('en')} messages stored in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
}
