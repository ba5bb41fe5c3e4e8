// Tests what is sent and run again: messages, runs from their failed step, events, tests to somebody; each once for its key.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AgainAnswer, EventAgainAnswer } from '../../../contract/resources/again.ts'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import type { RunAnswer } from '../../../contract/resources/run.ts'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import { type RunningEdge, startEdge } from '../../serve.ts'
import { answer, type Endpoint, startPlainEndpoint } from '../support/endpoint.ts'
import { ENGINE } from '../support/engine.ts'
import { type GivenEdge, givenEdge, ON_BUSY_MACHINES } from '../support/given.ts'

let given: GivenEdge
let endpoint: Endpoint
/** Another node on the same store, where the engine allows two. */
let other: RunningEdge | undefined
beforeAll(async () => {
  given = await givenEdge()
  endpoint = await startPlainEndpoint()
  if (ENGINE === 'postgres') {
    const settings = { ...given.settings, PORT: String(await findFreePort()), SEED_DEMO: 'false' }
    other = await startEdge(settings, ON_BUSY_MACHINES)
  }
})
afterAll(async () => {
  await other?.close()
  await given?.stop()
  await endpoint?.close()
})
beforeEach(() => {
  endpoint.requests.length = 0
  endpoint.handle = (_, response) => answer(response, 200, { ok: true, data: { title: 'a lamp' } })
})

const key = () => given.demo.environments.dev.sdkSecretKey
const call = async <T>(method: string, path: string, body?: object) =>
  given.call<T>(method, path, { key: key(), ...(body && { body }) })
const read = async <T>(path: string) => (await call<T>('GET', path)).body
const deliveriesOf = async (query: string) =>
  (await read<{ data: DeliveryRecordAnswer[] }>(`/v1/deliveries?${query}`)).data

let count = 0
/** Publishes a campaign on an event of its own, and tracks one. */
async function start(steps: object[], properties: object = {}, extra: object = {}) {
  const name = `again.${++count}`
  const id = await given.publish({ key: `again-${count}`, name: 'Again', trigger: { event: name }, steps, ...extra })
  const userId = `user-${count}`
  const { eventId } = (await given.track({ name, userId, properties })).body
  const event = () => read<TrackedEventAnswer>(`/v1/events/${eventId}`)
  return { id, name, userId, eventId, event, runId: (await event()).runs[0]?.runId ?? '' }
}
const runOf = (runId: string) => read<RunAnswer>(`/v1/runs/${runId}`)
async function ended(runId: string): Promise<RunAnswer> {
  await expect.poll(async () => (await runOf(runId)).state, { interval: 20 }).not.toBe('waiting')
  return runOf(runId)
}
const replaceDraft = async (id: string, change: (draft: Record<string, unknown>) => object) => {
  const { draft } = await read<{ draft: Record<string, unknown> }>(`/v1/campaigns/${id}`)
  expect((await call('PUT', `/v1/campaigns/${id}`, change(draft))).status).toBe(200)
  expect((await call('POST', `/v1/campaigns/${id}/publish`)).status).toBe(200)
}
/** Cannot be rendered: it takes too long. */
const BROKEN = '{% for i in (1..100000) %}{{ i }}{% endfor %}'
const titles = async (userId: string) => (await given.page(await given.signIn(userId))).data.map(({ title }) => title)

test('a message that a suppression held back is held back again while it holds, and sent once it is removed', async () => {
  const steps = [
    { id: 'tell', type: 'inbox', title: 'First {{ event.properties.n }}' },
    { id: 'more', type: 'inbox', title: 'Second' },
  ]
  await call('POST', '/v1/suppressions', { userId: `user-${count + 1}`, channel: 'inbox', reason: 'manual' })
  const { userId, eventId, runId } = await start(steps, { n: 7 })
  const [message] = (await deliveriesOf(`eventId=${eventId}`)).filter(({ stepId }) => stepId === 'tell')
  const path = `/v1/deliveries/${message?.messageId}/send-again`
  const held = await call<AgainAnswer>('POST', path)
  expect(held.body).toMatchObject({
    duplicate: false,
    state: 'completed',
    messages: [{ stepId: 'tell', status: 'skipped' }],
  })
  expect(held.body.messages[0]?.statusReason).toContain('suppress')

  expect((await call('DELETE', `/v1/suppressions?userId=${userId}&channel=inbox`)).status).toBeLessThan(300)
  const sent = await call<AgainAnswer>('POST', path, { version: 'then', idempotencyKey: 'once' })
  expect(sent.body).toMatchObject({ messages: [{ stepId: 'tell', status: 'delivered', statusReason: null }] })
  expect(await titles(userId)).toEqual(['First 7'])

  const repeated = await call<AgainAnswer>('POST', path, { version: 'then', idempotencyKey: 'once' })
  expect(repeated.body).toEqual({ ...sent.body, duplicate: true })
  expect((await call('POST', path, { version: 'now', idempotencyKey: 'once' })).status).toBe(200)
  expect(await titles(userId)).toEqual(['First 7'])
  const again = await runOf(sent.body.runId)
  expect(again).toMatchObject({ eventId, state: 'completed', steps: [{ type: 'again' }, { stepId: 'tell' }] })
  expect(again.steps[0]?.reason).toContain(message?.messageId)
  expect(runId).not.toBe(sent.body.runId)
})

test('a repeat after a publication is a repeat', async () => {
  await call('POST', '/v1/suppressions', { userId: `user-${count + 1}`, channel: 'inbox', reason: 'manual' })
  const { id, eventId } = await start([{ id: 'tell', type: 'inbox', title: 'Hello' }])
  const [message] = await deliveriesOf(`eventId=${eventId}`)
  const path = `/v1/deliveries/${message?.messageId}/send-again`
  const first = await call<AgainAnswer>('POST', path, { idempotencyKey: 'published' })
  expect(first.status).toBe(200)
  await replaceDraft(id, (draft) => ({ ...draft, steps: [{ id: 'tell', type: 'inbox', title: 'Hello again' }] }))
  const repeated = await call<AgainAnswer>('POST', path, { idempotencyKey: 'published' })
  expect(repeated.body).toEqual({ ...first.body, duplicate: true })
})

test('an event that runs again while its user is erased does not bring the user back', async () => {
  for (let round = 0; round < 8; round++) {
    const { eventId, userId } = await start([{ id: 'tell', type: 'inbox', title: 'Hello' }])
    const again = () => call('POST', `/v1/events/${eventId}/run-again`)
    await Promise.all([again(), again(), again(), call('DELETE', `/v1/users/${userId}`), again(), again(), again()])
    expect(await call('GET', `/v1/users/${userId}`)).toMatchObject({ status: 404 })
  }
})

test('a message that was sent is not sent again', async () => {
  const { eventId } = await start([{ id: 'tell', type: 'inbox', title: 'Hello' }])
  const [message] = await deliveriesOf(`eventId=${eventId}`)
  const refused = await call('POST', `/v1/deliveries/${message?.messageId}/send-again`)
  expect(refused).toMatchObject({ status: 409, body: { code: 'request/conflict', reason: 'was-sent' } })
  expect((await call('POST', '/v1/deliveries/msg_1/send-again')).status).toBe(404)
})

test('a failed run goes on from its failed step with what its enricher answers; what was sent is not sent again', async () => {
  await call('PUT', '/v1/enrichers/again', { url: endpoint.url })
  const { id, userId, eventId, runId } = await start([
    { id: 'first', type: 'inbox', title: 'Once' },
    { id: 'data', type: 'enrich', enricher: 'again' },
    {
      id: 'split',
      type: 'branch',
      branches: [{ key: 'all', else: true, steps: [{ id: 'broken', type: 'inbox', title: BROKEN }] }],
    },
    { id: 'last', type: 'inbox', title: 'After {{ enriched.data.title }}' },
  ])
  expect(await ended(runId)).toMatchObject({ state: 'failed', stateReason: 'render-error' })
  const path = `/v1/runs/${runId}/run-again`
  const then = await call<AgainAnswer>('POST', path, { version: 'then' })
  expect(await ended(then.body.runId)).toMatchObject({ state: 'failed', stateReason: 'render-error', branch: 'all' })
  expect(await titles(userId)).toEqual(['Once'])

  await replaceDraft(
    id,
    (draft) => JSON.parse(JSON.stringify(draft).replace(BROKEN, 'Mended {{ enriched.data.title }}')) as object,
  )
  endpoint.requests.length = 0
  const now = await call<AgainAnswer>('POST', path, { idempotencyKey: 'mended' })
  expect(now.body.state).toBe('waiting')
  const run = await ended(now.body.runId)
  expect(run).toMatchObject({ state: 'completed', version: 2, branch: 'all', eventId })
  expect(run.steps.map(({ stepId, type }) => stepId || type)).toEqual(['again', 'data', 'broken', 'last'])
  expect((await titles(userId)).sort()).toEqual(['After a lamp', 'Mended a lamp', 'Once'])
  expect(endpoint.requests).toHaveLength(1)

  const whole = await call<AgainAnswer>('POST', path, { from: 'start' })
  expect((await ended(whole.body.runId)).steps.map(({ stepId }) => stepId)).toContain('split')
  expect(await titles(userId)).toHaveLength(6)
})

test('a step that the version of now has no more, a run that did not fail, and a paused campaign are refused', async () => {
  const { id, runId } = await start([{ id: 'broken', type: 'inbox', title: BROKEN }])
  await replaceDraft(id, (draft) => ({ ...draft, steps: [{ id: 'other', type: 'inbox', title: 'Other' }] }))
  const path = `/v1/runs/${runId}/run-again`
  expect(await call('POST', path)).toMatchObject({ status: 409, body: { reason: 'step-gone' } })
  const started = await call<AgainAnswer>('POST', path, { from: 'start' })
  expect(started.body).toMatchObject({ state: 'completed', messages: [{ stepId: 'other', status: 'delivered' }] })
  const finished = await call('POST', `/v1/runs/${started.body.runId}/run-again`)
  expect(finished).toMatchObject({ status: 409, body: { reason: 'not-failed' } })
  await call('POST', `/v1/campaigns/${id}/pause`)
  expect(await call('POST', path, { from: 'start' })).toMatchObject({ status: 409, body: { reason: 'not-live' } })
})

test('an event that runs again is a new event that names the old one, and starts the campaigns of now', async () => {
  const { id, eventId, name, userId } = await start([{ id: 'tell', type: 'inbox', title: 'Old' }], { n: 1 })
  await replaceDraft(id, (draft) => ({
    ...draft,
    steps: [{ id: 'tell', type: 'inbox', title: 'New {{ event.properties.n }}' }],
  }))
  const path = `/v1/events/${eventId}/run-again`
  const again = await call<EventAgainAnswer>('POST', path, { idempotencyKey: 'event' })
  expect(again).toMatchObject({ status: 200, body: { duplicate: false } })
  expect((await call('POST', path, { idempotencyKey: 'event' })).body).toEqual({ ...again.body, duplicate: true })
  const event = await read<TrackedEventAnswer>(`/v1/events/${again.body.eventId}`)
  expect(event).toMatchObject({ name, userId, source: 'again', raw: { again: eventId }, outcome: 'matched' })
  expect(await titles(userId)).toEqual(['New 1', 'Old'])
  expect(await call('POST', '/v1/events/evt_1/run-again')).toMatchObject({ status: 404 })
  const stolen = await call('POST', `/v1/events/${again.body.eventId}/run-again`, { idempotencyKey: 'event' })
  expect(stolen).toMatchObject({ status: 409, body: { code: 'request/conflict' } })
})

test('a message goes to somebody as a test, with their profile, and is counted nowhere', async () => {
  const { userId, eventId, id } = await start(
    [{ id: 'tell', type: 'inbox', title: 'For {{ user.name | default: "nobody" }} {{ event.properties.n }}' }],
    { n: 3 },
  )
  await call('PUT', '/v1/users/me', { name: 'Me' })
  const [message] = await deliveriesOf(`eventId=${eventId}`)
  const sent = await call<AgainAnswer>('POST', `/v1/deliveries/${message?.messageId}/send-to-me`, { userId: 'me' })
  expect(sent.body).toMatchObject({ state: 'completed', messages: [{ status: 'delivered' }] })
  expect(await titles('me')).toEqual(['For Me 3'])
  expect(await titles(userId)).toEqual(['For nobody 3'])
  const [mine] = await deliveriesOf('userId=me')
  expect(mine).toMatchObject({ isTest: true, campaignId: id })
  const event = await read<TrackedEventAnswer>(`/v1/events/${mine?.eventId}`)
  expect(event).toMatchObject({ source: 'test', raw: { again: eventId } })
  expect(await call('POST', `/v1/events/${mine?.eventId}/run-again`)).toMatchObject({ body: { reason: 'is-test' } })
})

test('many calls with one key, to two nodes at once, make one run, one event and one entry of the audit log', async () => {
  const { id, eventId, runId, userId } = await start([{ id: 'broken', type: 'inbox', title: BROKEN }])
  await replaceDraft(id, (draft) => ({ ...draft, steps: [{ id: 'broken', type: 'inbox', title: 'Mended' }] }))
  const [message] = await deliveriesOf(`eventId=${eventId}`)
  const nodes = [given.url, other?.url ?? given.url]
  const post = async <T>(node: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${key()}`, 'content-type': 'application/json' }
    const answered = await fetch(node + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answered.json()) as T
  }
  const many = <T>(path: string) =>
    Promise.all(
      Array.from({ length: 20 }, (_, at) => post<T>(nodes[at % 2] ?? '', path, { idempotencyKey: `all-${path}` })),
    )
  const runs = await many<AgainAnswer>(`/v1/runs/${runId}/run-again`)
  const messages = await many<AgainAnswer>(`/v1/deliveries/${message?.messageId}/send-again`)
  const events = await many<EventAgainAnswer>(`/v1/events/${eventId}/run-again`)
  for (const all of [runs, messages, events]) expect(all.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
  expect(new Set(runs.map(({ runId }) => runId)).size).toBe(1)
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(1)
  expect(await titles(userId)).toEqual(['Mended', 'Mended', 'Mended'])
})
