// Tests the jobs that send and run again all of a filter: their number first, their pace, their stop, and each item once.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgainJobAnswer, AgainJobInput, BegunAgainAnswer } from '../../../contract/resources/again-job.ts'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given?.stop())

const POLL = { timeout: 60_000, interval: 50 }
const key = () => given.demo.environments.dev.sdkSecretKey
const call = async <T>(method: string, path: string, body?: object) =>
  given.call<T>(method, path, { key: key(), ...(body && { body }) })
const read = async <T>(path: string) => (await call<T>('GET', path)).body
const listed = async (query: string) =>
  (await read<{ data: DeliveryRecordAnswer[] }>(`/v1/deliveries?limit=100&${query}`)).data
const begin = (request: AgainJobInput) => call<BegunAgainAnswer>('POST', '/v1/again', request)
const jobOf = (jobId = '') => read<AgainJobAnswer>(`/v1/again/${jobId}`)
async function ended(jobId = ''): Promise<AgainJobAnswer> {
  await expect.poll(async () => (await jobOf(jobId)).state, POLL).not.toBe('running')
  return jobOf(jobId)
}
const BROKEN = '{% for i in (1..100000) %}{{ i }}{% endfor %}'

/** Publishes a campaign whose template fails, and tracks an event for each of these users. */
async function givenFailed(name: string, users: string[]): Promise<string> {
  const steps = [
    { id: 'first', type: 'inbox', title: 'First' },
    { id: 'broken', type: 'inbox', title: BROKEN },
  ]
  const id = await given.publish({ key: name, name, trigger: { event: name }, steps })
  for (const userId of users) await given.track({ name, userId })
  return id
}
async function mend(id: string): Promise<void> {
  const { draft } = await read<{ draft: object }>(`/v1/campaigns/${id}`)
  const mended = JSON.parse(JSON.stringify(draft).replace(BROKEN, 'Mended')) as object
  expect((await call('PUT', `/v1/campaigns/${id}`, mended)).status).toBe(200)
  expect((await call('POST', `/v1/campaigns/${id}/publish`)).status).toBe(200)
}
const titles = async (userId: string) => (await given.page(await given.signIn(userId))).data.map(({ title }) => title)

test('what failed is counted first, then each run goes on once, and its own messages are not taken', async () => {
  const users = ['a', 'b', 'c'].map((name) => `runs-${name}`)
  const id = await givenFailed('bulk.runs', users)
  const filter = { campaignId: id, status: 'failed' } as const
  expect((await begin({ kind: 'runs', filter, dryRun: true })).body).toEqual({ count: 3, job: null })
  const failing = await begin({ kind: 'runs', filter, pace: 6000 })
  expect(await ended(failing.body.job?.jobId)).toMatchObject({ state: 'done', total: 3, done: 3, made: 3, refused: 0 })
  expect(await listed(`campaignId=${id}&status=failed`)).toHaveLength(6)
  await mend(id)
  const { body } = await begin({ kind: 'runs', filter, pace: 6000 })
  expect(body.count).toBe(6)
  expect(await ended(body.job?.jobId)).toMatchObject({ state: 'done', done: 6, made: 6 })
  for (const userId of users) expect((await titles(userId)).sort()).toEqual(['First', 'Mended', 'Mended'])
  const { data } = await read<{ data: AgainJobAnswer[] }>('/v1/again')
  expect(data.map(({ jobId }) => jobId)).toEqual([body.job?.jobId, failing.body.job?.jobId])
  const entries = await givenNc(given.settings).json<{ action: string; subject: string }[]>('audit list')
  const ofJob = entries.filter(({ subject }) => subject === body.job?.jobId).map(({ action }) => action)
  expect(ofJob).toEqual(['again.begin'])
})

test('a job keeps its pace and stops; a second one of the environment is refused meanwhile', async () => {
  const id = await givenFailed('bulk.slow', ['slow-a', 'slow-b', 'slow-c'])
  await mend(id)
  const request = { kind: 'messages', filter: { campaignId: id, status: 'failed' }, pace: 1 } as const
  const { body } = await begin(request)
  const jobId = body.job?.jobId
  await expect.poll(async () => (await jobOf(jobId)).done, POLL).toBe(1)
  expect(await begin(request)).toMatchObject({ status: 409, body: { reason: 'under-way' } })
  const stopped = await call<AgainJobAnswer>('POST', `/v1/again/${jobId}/stop`)
  expect(stopped.body).toMatchObject({ state: 'stopped', total: 3, done: 1, made: 1 })
  expect(await call('POST', `/v1/again/${jobId}/stop`)).toMatchObject({ status: 409, body: { reason: 'has-ended' } })
  const rest = await begin({ ...request, pace: 6000 })
  expect(rest.body.count).toBe(3)
  expect(await ended(rest.body.job?.jobId)).toMatchObject({ made: 3 })
  expect(await titles('slow-a')).toContain('Mended')
  expect(await jobOf('job_1').catch(() => undefined)).toMatchObject({ code: 'request/not-found' })
})

test('events run again with the campaigns of now; what is paused is refused, and nothing of a filter is lost by a typing error', async () => {
  for (const n of [1, 2]) await given.track({ name: 'bulk.event', userId: 'events', properties: { n } })
  const steps = [{ id: 'tell', type: 'inbox', title: 'Late {{ event.properties.n }}' }]
  const id = await given.publish({ key: 'bulk-event', name: 'E', trigger: { event: 'bulk.event' }, steps })
  const events = await begin({ kind: 'events', filter: { name: 'bulk.event' }, pace: 6000 })
  expect(await ended(events.body.job?.jobId)).toMatchObject({ total: 2, made: 2 })
  expect((await titles('events')).sort()).toEqual(['Late 1', 'Late 2'])
  const { data } = await read<{ data: TrackedEventAnswer[] }>('/v1/events?name=bulk.event')
  expect(data.map(({ source }) => source)).toEqual(['again', 'again', 'api', 'api'])

  const failed = await givenFailed('bulk.paused', ['paused'])
  await call('POST', `/v1/campaigns/${failed}/pause`)
  const refused = await begin({ kind: 'messages', filter: { campaignId: failed, status: 'failed' }, pace: 6000 })
  expect(await ended(refused.body.job?.jobId)).toMatchObject({ done: 1, made: 0, refused: 1 })
  const mistyped = { kind: 'messages', filter: { campaign: id, status: 'failed' } } as never
  expect((await begin(mistyped)).status).toBe(400)
  expect((await begin({ kind: 'messages', filter: {} } as never)).status).toBe(400)
  expect((await begin({ kind: 'messages', filter: { campaignId: id, status: 'failed' } })).body).toEqual({
    count: 0,
    job: null,
  })
})

test('an erasure of the user whom a filter names removes its job', async () => {
  const id = await givenFailed('bulk.erased', ['erased'])
  const filter = { campaignId: id, status: 'failed', userId: 'erased' } as const
  const { body } = await begin({ kind: 'messages', filter, pace: 1 })
  expect((await call('DELETE', '/v1/users/erased')).status).toBe(200)
  expect((await call('GET', `/v1/again/${body.job?.jobId}`)).status).toBe(404)
  expect((await begin({ kind: 'messages', filter, dryRun: true })).body.count).toBe(0)
})
