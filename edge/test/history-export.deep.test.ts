// Tests the HTTP export of 50,000 records: complete, with constant memory, while tracking continues.

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../lib/clock.ts'
import { createIdSource, parseId } from '../lib/id.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from './support/given.ts'
import { openStoresOf } from './support/open-stores.ts'
import { planOf } from './support/track-plan.ts'
import { usedBytes } from './support/used-memory.ts'

const RECORDS = 50_000
const PER_PLAN = 100
/** As objects all records would take about 50 MB, as text about 15 MB. */
const MAX_GROWTH = 8 * 1024 * 1024
const MEASURE_EVERY_BYTES = 1024 * 1024

let given: GivenEdge
let campaignId: string

beforeAll(async () => {
  given = await givenEdge()
  campaignId = await given.publish(inboxCampaign('many', 'ma.ny'))
  await given.edge.close()
  await fillStore()
  await given.restart()
})
afterAll(() => given.stop())

/** Writes directly to the store, because HTTP takes 50 times as long. */
async function fillStore(): Promise<void> {
  const stores = await openStoresOf(given.settings, systemClock)
  const source = () => createIdSource(systemClock)
  const ids = { event: source(), run: source(), message: source() }
  for (const one of Object.values(ids)) one.raise(stores.idFloor)
  const environmentId = parseId('environment', given.demo.environments.dev.id) ?? 0
  const fields = { campaignId: parseId('campaign', campaignId) ?? 0 }
  for (let n = 0; n < RECORDS / PER_PLAN; n++) {
    await stores.commit.track(planOf(ids, environmentId, systemClock.now(), `u${n % 50}`, PER_PLAN, fields))
  }
  await stores.close()
}

async function openExport(query = ''): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${given.demo.environments.dev.sdkSecretKey}` }
  const request = get(`${given.url}/v1/deliveries/export.csv${query}`, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  return response
}

async function countIds(response: IncomingMessage, onChunk: (bytes: number) => void = () => undefined) {
  const ids = new Set<string>()
  let rows = 0
  let rest = ''
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    onChunk(chunk.length)
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    rows += lines.length
    for (const line of lines) ids.add(line.slice(4, 15))
  }
  return { rows: rows - 1, ids: ids.size - 1 }
}

test('every record is exported once, and memory grows by a few chunks at most', async () => {
  // Warms up code and statements, which are not part of the export's memory.
  await countIds(await openExport('?userId=u1'))
  const response = await openExport()
  const before = usedBytes()
  let maxGrowth = 0
  let sinceMeasured = 0
  let rows = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) rows++
    sinceMeasured += chunk.length
    if (sinceMeasured < MEASURE_EVERY_BYTES) continue
    sinceMeasured = 0
    maxGrowth = Math.max(maxGrowth, usedBytes() - before)
  }
  expect(rows).toBe(RECORDS + 1)
  expect(maxGrowth).toBeLessThan(MAX_GROWTH)
  expect(await countIds(await openExport('?userId=u7'))).toEqual({ rows: RECORDS / 50, ids: RECORDS / 50 })
})

test('the records of a complete export are all different', async () => {
  expect(await countIds(await openExport())).toEqual({ rows: RECORDS, ids: RECORDS })
})

test('tracking continues while exports run', async () => {
  let running = 4
  const exports = Array.from({ length: running }, async () => {
    const { rows } = await countIds(await openExport())
    running--
    return rows
  })
  let tracked = 0
  while (running > 0) {
    expect((await given.track({ name: 'other.event', userId: 'x' })).status).toBe(202)
    tracked++
  }
  expect(await Promise.all(exports)).toEqual([RECORDS, RECORDS, RECORDS, RECORDS])
  expect(tracked).toBeGreaterThan(20)
})
