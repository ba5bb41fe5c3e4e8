// Tests that kill -9 in the middle of a job that runs again loses and doubles none of its items, on each engine.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgainJobAnswer, AgainJobInput, BegunAgainAnswer } from '../../contract/resources/again-job.ts'
import type { DeliveryRecordAnswer } from '../../contract/resources/delivery.ts'
import type { TrackedEventAnswer } from '../../contract/resources/tracked-event.ts'
import type { DemoFile } from '../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from './support/edge-process.ts'
import { endLeases } from './support/end-leases.ts'
import { ENGINE, engineSettings } from './support/engine.ts'
import { createRawClient } from './support/raw-client.ts'
import { createPageReader } from './support/read-pages.ts'
import { reportCounts } from './support/report-counts.ts'

const KILLS = 3
const ITEMS = 150
/** Too long for a message; rendering it costs little. */
const TEXT = 'x'.repeat(35_000)
const stepsOf = (body: string) => [
  { id: 'first', type: 'inbox', title: 'first {{ event.properties.n }}' },
  { id: 'second', type: 'inbox', title: 'second', data: { body } },
]
const BROKEN = '{{ event.properties.text }}{{ event.properties.text }}'

const dataDir = mkdtempSync(join(tmpdir(), 'nc-crash-'))
const client = createRawClient()
let edge: EdgeProcess | undefined
let env: Record<string, string>
let key: string
beforeAll(async () => {
  await buildEdge()
  env = (await engineSettings()).env
  edge = await startEdgeProcess(dataDir, env)
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  key = demo.environments.dev.sdkSecretKey
})
afterAll(async () => {
  client.close()
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${edge?.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return (await answer.json()) as T
}
const readAll = <T>(path: string) => createPageReader(client, edge?.url ?? '').readAll<T>(path, key)

/** Begins the job, and kills the server in the middle of it. @returns the job once it has ended, and the kills within it */
async function runUnderKills(request: AgainJobInput): Promise<{ job: AgainJobAnswer; inTheMiddle: number }> {
  const { count, job } = await call<BegunAgainAnswer>('POST', '/v1/again', request)
  expect(count).toBe(ITEMS)
  const read = () => call<AgainJobAnswer>('GET', `/v1/again/${job?.jobId}`)
  let inTheMiddle = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const before = (await read()).done
    await expect.poll(async () => (await read()).done, { interval: 1, timeout: 60_000 }).not.toBe(before)
    await edge?.kill()
    await endLeases(dataDir, env)
    edge = await startEdgeProcess(dataDir, { ...env, SEED_DEMO: 'false' })
    if ((await read()).state !== 'running') break
    inTheMiddle++
  }
  await expect.poll(async () => (await read()).state, { timeout: 60_000 }).toBe('done')
  return { job: await read(), inTheMiddle }
}

test(`kills in the middle of jobs double and lose no run and no event (${ENGINE})`, async () => {
  const campaign = { key: 'again', name: 'Again', trigger: { event: 'again' }, steps: stepsOf(BROKEN) }
  const { id } = await call<{ id: string }>('POST', '/v1/campaigns', campaign)
  await call('POST', `/v1/campaigns/${id}/publish`)
  const users = Array.from({ length: ITEMS }, (_, n) => `user-${n}`)
  for (const userId of users) {
    await call('POST', '/v1/events/track', {
      sdkSecretKey: key,
      name: 'again',
      userId,
      properties: { n: userId, text: TEXT },
    })
  }
  await call('PUT', `/v1/campaigns/${id}`, { ...campaign, steps: stepsOf('short') })
  await call('POST', `/v1/campaigns/${id}/publish`)

  const runs = await runUnderKills({ kind: 'runs', filter: { campaignId: id, status: 'failed' }, pace: 6000 })
  const sent = await readAll<DeliveryRecordAnswer>(`/v1/deliveries?campaignId=${id}&status=delivered`)
  const second = sent.filter(({ stepId }) => stepId === 'second').map(({ userId }) => userId)
  const messages = await runUnderKills({ kind: 'messages', filter: { campaignId: id, status: 'failed' }, pace: 6000 })
  const resent = await readAll<DeliveryRecordAnswer>(`/v1/deliveries?campaignId=${id}&status=delivered`)
  const events = await runUnderKills({ kind: 'events', filter: { name: 'again' }, pace: 6000 })
  const stored = await readAll<TrackedEventAnswer>('/v1/events?name=again')
  const again = stored.filter(({ source }) => source === 'again').map(({ userId }) => userId)

  reportCounts(`Kills in the middle of jobs that run again on ${ENGINE}`, {
    kills: runs.inTheMiddle + messages.inTheMiddle + events.inTheMiddle,
    items: 3 * ITEMS,
    doubled: [second, again].reduce((sum, all) => sum + all.length - new Set(all).size, 0),
    lost: [second, again].reduce((sum, all) => sum + users.filter((user) => !all.includes(user)).length, 0),
  })
  for (const { inTheMiddle } of [runs, messages, events]) expect(inTheMiddle).toBeGreaterThan(0)
  expect(second.toSorted()).toEqual(users.toSorted())
  expect(sent).toHaveLength(2 * ITEMS)
  const twice = resent.filter(({ stepId }) => stepId === 'second').map(({ userId }) => userId)
  expect(twice.toSorted()).toEqual([...users, ...users].toSorted())
  expect(resent).toHaveLength(3 * ITEMS)
  expect(again.toSorted()).toEqual(users.toSorted())
  for (const { job } of [runs, messages, events]) expect(job).toMatchObject({ done: ITEMS, made: ITEMS, refused: 0 })
})
