// Tests on three nodes that work which ends its node is given up after two ends, and that its neighbours are done.
// PostgreSQL alone: a SQLite store has one process (crash-poison.sqlite.test.ts).

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryRecordAnswer } from '../../contract/resources/delivery.ts'
import { LEASE_MS } from '../domain/lease.ts'
import { systemClock } from '../lib/clock.ts'
import type { DemoFile } from '../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from './support/edge-process.ts'
import { type EngineSettings, engineSettings } from './support/engine.ts'
import { openStoresOf } from './support/open-stores.ts'
import { POISONED_ENV, POISONED_TEMPLATE, POISONS } from './support/poison.ts'
import { createRawClient } from './support/raw-client.ts'
import { createPageReader } from './support/read-pages.ts'
import { reportCounts } from './support/report-counts.ts'

const NEIGHBOURS = 12
const AUDIENCE = Array.from({ length: 60 }, (_, n) => `reader_${n}`)
/** Each end of a node leaves its claims to others after their lease. */
const TIMEOUT_MS = 5 * LEASE_MS

/** A node that is started again whenever it ends. */
interface KeptNode {
  ends: number
  url(): string
  stop(): Promise<void>
}

const client = createRawClient()
const folders = [0, 1, 2].map((n) => mkdtempSync(join(tmpdir(), `nc-poison-${n}-`)))
let engine: EngineSettings
const nodes: KeptNode[] = []
beforeAll(async () => {
  await buildEdge()
  engine = await engineSettings('postgres')
  for (const folder of folders) nodes.push(await keepNode(folder))
})
afterAll(async () => {
  client.close()
  for (const node of nodes) await node.stop()
  await engine?.release()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function keepNode(folder: string): Promise<KeptNode> {
  const start = () =>
    startEdgeProcess(folder, { ...engine.env, ...POISONED_ENV, SEED_DEMO: nodes.length === 0 ? 'plain' : 'false' })
  let edge: EdgeProcess = await start()
  let isWanted = true
  const node: KeptNode = {
    ends: 0,
    url: () => edge.url,
    async stop() {
      isWanted = false
      await edge.kill()
      await kept
    },
  }
  const kept = (async () => {
    for (;;) {
      await edge.ended
      if (!isWanted) return
      node.ends += 1
      edge = await start()
    }
  })()
  return node
}

const tell = { id: 'tell', type: 'inbox', title: POISONED_TEMPLATE }
const pause = { id: 'pause', type: 'delay', for: 'PT2S' }

test.each([
  { kind: 'run', steps: [pause, tell], to: { userId: 'reader_0' }, messages: 1 },
  { kind: 'job', steps: [tell], to: { userIds: AUDIENCE }, messages: AUDIENCE.length },
])('a $kind that ends its node is given up, and at most one of three nodes ends twice', async (given) => {
  const { kind, steps, to, messages } = given
  const demo = JSON.parse(readFileSync(join(folders[0] ?? '', 'demo.json'), 'utf8')) as DemoFile
  const key = demo.environments.dev.sdkSecretKey
  const before = nodes.map(({ ends }) => ends)
  const ends = () => nodes.map((node, at) => node.ends - (before[at] ?? 0))
  const call = async <T>(path: string, body: object): Promise<T> => {
    const answer = await client.ask(nodes[0]?.url() ?? '', 'POST', path, { key, body })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }
  const { id } = await call<{ id: string }>('/v1/campaigns', { key: kind, trigger: { event: kind }, steps })
  await call(`/v1/campaigns/${id}/publish`, {})
  const words = Array.from({ length: NEIGHBOURS }, (_, n) => `neighbour ${n}`)
  words.splice(NEIGHBOURS / 2, 0, POISONS.SIGKILL)
  const events = words.map((word) => ({ name: kind, ...to, properties: { word } }))
  await call('/v1/events/track/batch', { sdkSecretKey: key, events })

  const isGivenUp = async () => (await listGivenUp()).includes(kind)
  await expect.poll(isGivenUp, { timeout: TIMEOUT_MS, interval: 1000 }).toBe(true)
  async function countDelivered(): Promise<number> {
    const { readAll } = createPageReader(client, nodes[0]?.url() ?? '')
    const all = await readAll<DeliveryRecordAnswer>(`/v1/deliveries?campaignId=${id}&channel=inbox`, key)
    return all.filter(({ status }) => status === 'delivered').length
  }
  await expect.poll(countDelivered, { timeout: TIMEOUT_MS, interval: 500 }).toBe(NEIGHBOURS * messages)
  expect(ends().reduce((sum, count) => sum + count, 0)).toBe(2)
  expect(ends().filter((count) => count > 1).length).toBeLessThanOrEqual(1)
  reportCounts(`a ${kind} that ends its node, on three nodes`, {
    ends: ends().join('/'),
    delivered: NEIGHBOURS * messages,
  })
})

/** Kinds of what was given up. */
async function listGivenUp(): Promise<string[]> {
  const stores = await openStoresOf(engine.env, systemClock)
  const found = await stores.givenUps.list(null, 10).finally(stores.close)
  return found.map(({ kind }) => kind)
}
