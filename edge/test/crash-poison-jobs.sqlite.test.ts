// Tests that a job which runs events or deliveries again, and ends the server each time, is given up after two ends.
// SQLite alone: what several nodes do with a job that ends them shows crash-poison.postgres.test.ts.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AgainJobAnswer } from '../../contract/resources/again-job.ts'
import type { CreatedSourceAnswer, SourceAnswer } from '../../contract/resources/source.ts'
import { systemClock } from '../lib/clock.ts'
import type { DemoFile } from '../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from './support/edge-process.ts'
import { signedHeaders } from './support/given-sources.ts'
import { openStoresOf } from './support/open-stores.ts'
import { POISONED_ENV, POISONED_TEMPLATE, POISONS, type Poison } from './support/poison.ts'
import { createRawClient } from './support/raw-client.ts'
import { createPageReader } from './support/read-pages.ts'

const REASON = 'the process ended twice while this was handled'
const GIVEN_UP = 'nc_given_up{kind="job"} 1\n'
const NEIGHBOURS = 6
const USER = 'reader_0'

const client = createRawClient()
let dataDir = ''
let edge: EdgeProcess
let key = ''
beforeAll(buildEdge)
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'nc-poison-'))
  edge = await startEdgeProcess(dataDir, POISONED_ENV)
  key = (JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile).environments.dev.sdkSecretKey
})
afterEach(async () => {
  await edge.kill()
  rmSync(dataDir, { recursive: true, force: true })
})
afterAll(() => client.close())

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await client.ask(edge.url, method, path, { key, ...(body && { body }) })
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body as T
}

/** In the middle of its neighbours. */
function wordsWith(poison: Poison): string[] {
  const words = Array.from({ length: NEIGHBOURS }, (_, n) => `neighbour ${n}`)
  return words.toSpliced(NEIGHBOURS / 2, 0, POISONS[poison])
}

/** Publishes the campaign whose template ends the server. */
async function publish(): Promise<string> {
  const steps = [{ id: 'tell', type: 'inbox', title: POISONED_TEMPLATE }]
  const { id } = await call<{ id: string }>('POST', '/v1/campaigns', {
    key: 'poison',
    trigger: { event: 'tracked' },
    steps,
  })
  await call('POST', `/v1/campaigns/${id}/publish`, {})
  return id
}

/** Begins a job that ends the server, also before it has answered. @returns when the job has ended it twice */
async function endTwice(begin: () => Promise<unknown>): Promise<void> {
  await begin().catch(() => {})
  for (let ends = 0; ends < 2; ends++) {
    await edge.ended
    edge = await startEdgeProcess(dataDir, { ...POISONED_ENV, SEED_DEMO: 'false' })
  }
}

/** Ends the harm, and runs the job again. @returns the titles of all messages of the campaign, once there are as many */
async function mend(campaignId: string): Promise<string[]> {
  expect(await edge.stop()).toBe(0)
  const stores = await openStoresOf({ DATA_DIR: dataDir }, systemClock)
  const [item, ...more] = await stores.givenUps.list(null, 10)
  expect([item, more]).toMatchObject([{ kind: 'job', reason: REASON }, []])
  if (item !== undefined) await stores.givenUps.runAgain(item.environmentId, item, systemClock.now())
  await stores.close()
  edge = await startEdgeProcess(dataDir, { SEED_DEMO: 'false' })
  const { readAll } = createPageReader(client, edge.url)
  const titles = async () =>
    (await readAll<{ title: string }>(`/v1/deliveries?campaignId=${campaignId}`, key)).map(({ title }) => title)
  await expect.poll(async () => (await titles()).length).toBe(NEIGHBOURS + 1)
  return titles()
}

/** Work that has nothing to do with the job is done beside it. */
async function expectOthersServed(): Promise<void> {
  await call('POST', '/v1/events/track', {
    sdkSecretKey: key,
    name: 'tracked',
    userId: 'other',
    properties: { word: 'x' },
  })
  const { readAll } = createPageReader(client, edge.url)
  expect(await readAll(`/v1/deliveries?userId=other`, key)).toMatchObject([{ status: 'delivered' }])
}

const POISONED = Object.keys(POISONS) as Poison[]

test.each(POISONED)('events that are run again and end the server by %s', async (poison) => {
  const words = wordsWith(poison)
  const events = words.map((word) => ({ name: 'tracked', userId: USER, properties: { word } }))
  await call('POST', '/v1/events/track/batch', { sdkSecretKey: key, events })
  const campaignId = await publish()
  await endTwice(() => call('POST', '/v1/again', { kind: 'events', filter: { name: 'tracked' }, pace: 6000 }))
  const jobs = async () => (await call<{ data: AgainJobAnswer[] }>('GET', '/v1/again')).data
  await expect.poll(jobs).toMatchObject([{ state: 'failed' }])
  await expect.poll(async () => (await fetch(`${edge.url}/metrics`)).text()).toContain(GIVEN_UP)
  expect((await mend(campaignId)).toSorted()).toEqual(words.toSorted())
  await expect.poll(jobs).toMatchObject([{ state: 'done' }])
  await expectOthersServed()
})

test.each(POISONED)('deliveries that are run again and end the server by %s', async (poison) => {
  const words = wordsWith(poison)
  const source = await call<CreatedSourceAnswer>('POST', '/v1/sources', { name: 'runs', provider: 'stripe' })
  for (const [at, word] of words.entries()) {
    const body = JSON.stringify({ id: `evt_${at}`, type: 'payout.paid', data: { object: { word, user: USER } } })
    const headers = signedHeaders('stripe', { secret: source.verificationSecret, body, url: '' })
    const url = `${edge.url}/v1/connectors/stripe/${source.id}`
    const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
    expect((await fetch(url, sent)).status).toBe(200)
  }
  const read = () => call<SourceAnswer>('GET', `/v1/sources/${source.id}`)
  // Bodies are written in the background.
  await expect.poll(async () => (await read()).counts.accepted).toBe(words.length)
  const campaignId = await publish()
  const mappings = [{ providerEvent: '*', event: 'tracked', userIdPath: 'data.object.user' }]
  await call('PUT', `/v1/sources/${source.id}`, { mappings })
  const time = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' }
  await endTwice(() => call('POST', `/v1/sources/${source.id}/deliveries/run`, time))
  await expect.poll(async () => (await read()).run?.state).toBe('failed')
  await expect.poll(async () => (await fetch(`${edge.url}/metrics`)).text()).toContain(GIVEN_UP)
  expect((await mend(campaignId)).toSorted()).toEqual(words.toSorted())
  await expect.poll(async () => (await read()).run?.state).toBe('done')
  await expectOthersServed()
})
