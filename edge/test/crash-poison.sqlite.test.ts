// Tests that work which ends the server each time it is evaluated is given up after two ends, and all other work is done.
// Mails are composed in sandboxes: edge/sandbox/lane.test.ts. SQLite alone: on PostgreSQL several nodes do it (crash-poison.postgres.test.ts).

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { DeliveryRecordAnswer } from '../../contract/resources/delivery.ts'
import { systemClock } from '../lib/clock.ts'
import type { DemoFile } from '../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from './support/edge-process.ts'
import { openStoresOf } from './support/open-stores.ts'
import { POISONED_ENV, POISONED_TEMPLATE, POISONS, type Poison } from './support/poison.ts'
import { createRawClient, type RawClient } from './support/raw-client.ts'
import { createPageReader } from './support/read-pages.ts'
import { reportCounts } from './support/report-counts.ts'

const NEIGHBOURS = 12
/** More than 50 recipients are served by jobs. */
const AUDIENCE = Array.from({ length: 60 }, (_, n) => `reader_${n}`)
const REASON = 'the process ended twice while this was handled'

const client: RawClient = createRawClient()
let dataDir = ''
let edge: EdgeProcess | undefined
beforeAll(buildEdge)
afterEach(async () => {
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})
afterAll(() => client.close())

interface Case {
  kind: 'run' | 'job'
  steps: unknown[]
  /** Recipients of each event. */
  to: Record<string, unknown>
  /** Messages of each neighbour. */
  messages: number
}

const tell = { id: 'tell', type: 'inbox', title: POISONED_TEMPLATE }
const one = { userId: 'reader_0' }
const CASES: Case[] = [
  {
    kind: 'run',
    // Longer than the events take, so that all runs are due together.
    steps: [{ id: 'pause', type: 'delay', for: 'PT2S' }, tell],
    to: one,
    messages: 1,
  },
  { kind: 'job', steps: [tell], to: { userIds: AUDIENCE }, messages: AUDIENCE.length },
]

test.each(CASES.flatMap((one) => (Object.keys(POISONS) as Poison[]).map((poison) => ({ ...one, poison }))))(
  `a $kind that ends the server by $poison is given up after two ends`,
  async (given) => {
    const { kind, steps, to, messages, poison } = given
    dataDir = mkdtempSync(join(tmpdir(), 'nc-poison-'))
    edge = await startEdgeProcess(dataDir, POISONED_ENV)
    const { sdkSecretKey: key } = readDemo().environments.dev
    const call = createCall(key)
    const definition = { key: 'poison', trigger: { event: 'tracked' }, steps }
    const { id: campaignId } = await call<{ id: string }>('POST', '/v1/campaigns', definition)
    await call('POST', `/v1/campaigns/${campaignId}/publish`, {})

    // In the middle of its neighbours, which are claimed with it.
    const words = Array.from({ length: NEIGHBOURS }, (_, n) => `neighbour ${n}`)
    words.splice(NEIGHBOURS / 2, 0, POISONS[poison])
    const tracked = {
      sdkSecretKey: key,
      events: words.map((word) => ({ name: 'tracked', ...to, properties: { word } })),
    }
    const answers = await call<{ results: { eventId: string }[] }>('POST', '/v1/events/track/batch', tracked)
    const poisoned = answers.results[NEIGHBOURS / 2]?.eventId ?? ''

    for (let ends = 0; ends < 2; ends++) {
      await edge.ended
      edge = await startEdgeProcess(dataDir, { ...POISONED_ENV, SEED_DEMO: 'false' })
    }
    let hasEnded = false
    edge.ended.then(() => {
      hasEnded = true
    })
    const { readAll } = createPageReader(client, edge.url)
    const records = async () => {
      const all = await readAll<DeliveryRecordAnswer>(`/v1/deliveries?campaignId=${campaignId}`, key)
      return {
        of: all.filter(({ eventId }) => eventId === poisoned),
        others: all.filter(({ eventId }) => eventId !== poisoned),
      }
    }
    const done = (all: DeliveryRecordAnswer[]) =>
      all.filter(({ status }) => status === 'delivered' || status === 'sent')
    await expect.poll(async () => done((await records()).others).length).toBe(NEIGHBOURS * messages)
    const { others } = await records()
    expect(new Set(others.map(({ messageId }) => messageId)).size).toBe(NEIGHBOURS * messages)
    const metrics = async () => (await fetch(`${edge?.url}/metrics`)).text()
    await expect.poll(metrics).toContain(`nc_given_up{kind="${kind}"} 1\n`)
    // A job leaves no record of messages that were never made.
    expect((await records()).of.map(({ status }) => status)).toEqual(kind === 'job' ? [] : ['failed'])
    await expectGivenUp(kind, { poisoned, of: (await records()).of, call })
    expect(hasEnded).toBe(false)

    // Mended, it runs again.
    expect(await edge.stop()).toBe(0)
    const stores = await openStoresOf({ DATA_DIR: dataDir }, systemClock)
    const [item, ...more] = await stores.givenUps.list(null, 10)
    expect([item, more]).toMatchObject([{ kind, reason: REASON }, []])
    if (item !== undefined) await stores.givenUps.runAgain(item.environmentId, item, systemClock.now())
    await stores.close()
    edge = await startEdgeProcess(dataDir, { SEED_DEMO: 'false' })
    const again = createPageReader(client, edge.url).readAll
    const path = `/v1/deliveries?campaignId=${campaignId}`
    const ofPoisoned = async () =>
      (await again<DeliveryRecordAnswer>(path, key)).filter(({ eventId }) => eventId === poisoned)
    await expect.poll(async () => done(await ofPoisoned()).length).toBe(messages)
    reportCounts(`a ${kind} that ends the server by ${poison}`, { ends: 2, neighbours: others.length })
  },
)

type Call = <T>(method: string, path: string, body?: object) => Promise<T>

function createCall(key: string): Call {
  return async <T>(method: string, path: string, body?: object) => {
    const answer = await client.ask(edge?.url ?? '', method, path, { key, ...(body && { body }) })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }
}

const readDemo = () => JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile

/** Each kind has its record: a run and its message, or the job itself. */
async function expectGivenUp(
  kind: Case['kind'],
  { poisoned, of, call }: { poisoned: string; of: DeliveryRecordAnswer[]; call: Call },
): Promise<void> {
  if (kind === 'job') {
    expect(of).toEqual([])
    return
  }
  expect(of).toMatchObject([{ status: 'failed', statusReason: 'retries-exhausted' }])
  const { runs } = await call<{ runs: { runId: string }[] }>('GET', `/v1/events/${poisoned}`)
  expect(await call('GET', `/v1/runs/${runs[0]?.runId}`)).toMatchObject({
    state: 'failed',
    stateReason: 'retries-exhausted',
    steps: [
      { stepId: 'pause', outcome: 'failed', reason: `retries-exhausted: ${REASON}` },
      { stepId: 'tell', outcome: 'skipped' },
    ],
  })
}
