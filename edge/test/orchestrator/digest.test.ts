// Tests the step `digest` on a running edge: one message for many events, and a record for each.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'

let given: GivenEdge
let key = ''
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

const POLL_OPTIONS = { timeout: 60_000 }

interface Run {
  state: string
  stateReason: string | null
  steps: { stepId: string; outcome: string; reason: string | null }[]
}

const LIST = '{% for e in events %}{{ e.properties.n }}{% unless forloop.last %}, {% endunless %}{% endfor %}'

function campaign(name: string, digest: object, title = `{{ events.size }}: ${LIST}`) {
  const steps = [
    { id: 'gather', type: 'digest', ...digest },
    { id: 'tell', type: 'inbox', title },
  ]
  return { key: name, trigger: { event: `${name}.made` }, steps }
}

async function send(name: string, userId: string, properties: object) {
  const answer = await given.track({ name: `${name}.made`, userId, properties })
  expect(answer.status).toBe(202)
  return answer.body.eventId
}

async function titlesOf(userId: string): Promise<string[]> {
  const session = await given.signIn(userId)
  return (await given.page(session)).data.map((message) => message.title)
}

async function runOf(eventId: string): Promise<Run> {
  const event = await given.call<{ runs: { runId: string }[] }>('GET', `/v1/events/${eventId}`, { key })
  return (await given.call<Run>('GET', `/v1/runs/${event.body.runs[0]?.runId}`, { key })).body
}

test('events of a window become one message, and each of the others has a record with the reason', async () => {
  // A long window, so that the cap ends it even on a busy machine.
  const campaignId = await given.publish(campaign('like', { window: 'PT1H', max: 4 }))
  const eventIds: string[] = []
  for (const n of [1, 2, 3]) eventIds.push(await send('like', 'liked', { n }))
  expect(await titlesOf('liked')).toEqual([])
  expect(await runOf(eventIds[0] ?? '')).toMatchObject({
    state: 'waiting',
    steps: [{ stepId: 'gather', outcome: 'waiting' }],
  })
  expect(await runOf(eventIds[1] ?? '')).toMatchObject({
    state: 'completed',
    stateReason: 'digested',
    steps: [
      { stepId: 'gather', outcome: 'skipped', reason: 'digested' },
      { stepId: 'tell', outcome: 'skipped', reason: 'digested' },
    ],
  })
  await send('like', 'liked', { n: 4 })
  await expect.poll(() => titlesOf('liked'), POLL_OPTIONS).toEqual(['4: 1, 2, 3, 4'])
  expect(await runOf(eventIds[0] ?? '')).toMatchObject({
    state: 'completed',
    stateReason: null,
    steps: [
      { stepId: 'gather', outcome: 'done', reason: '4 events' },
      { stepId: 'tell', outcome: 'done' },
    ],
  })
  const skipped = await given.call<{ data: { statusReason: string }[] }>(
    'GET',
    `/v1/deliveries?campaignId=${campaignId}&status=skipped`,
    { key },
  )
  expect(skipped.body.data.map((one) => one.statusReason)).toEqual(['digested', 'digested', 'digested'])
})

test('a window ends at its time, each key has its own, and no event is missing', async () => {
  await given.publish(campaign('reply', { window: 'PT0.5S', key: '{{ event.properties.post }}' }, LIST))
  const sent = [1, 2, 3, 4, 5, 6]
  for (const n of sent) await send('reply', 'author', { n, post: n % 2 === 0 ? 'even' : 'odd' })
  const readNumbers = async () => (await titlesOf('author')).map((title) => title.split(', ').map(Number))
  await expect.poll(async () => (await readNumbers()).flat().sort(), POLL_OPTIONS).toEqual(sent)
  for (const numbers of await readNumbers()) expect(new Set(numbers.map((n) => n % 2)).size).toBe(1)
})

test('a full window ends at once, and the next event opens another one', async () => {
  await given.publish(campaign('flood', { window: 'PT1H', max: 5 }, '{{ events.size }}'))
  await Promise.all(Array.from({ length: 23 }, (_, n) => send('flood', 'flooded', { n })))
  await expect.poll(() => titlesOf('flooded'), POLL_OPTIONS).toEqual(['5', '5', '5', '5'])
})

test('two digests on one path are refused, and one in each branch is accepted', async () => {
  const digest = (id: string) => ({ id, type: 'digest', window: 'PT1S' })
  const inboxStep = { id: 'tell', type: 'inbox', title: 'x' }
  const create = (name: string, steps: object[]) =>
    given.call('POST', '/v1/campaigns', { key, body: { key: name, trigger: { event: 'e' }, steps } })
  const twice = await create('twice', [digest('one'), inboxStep, digest('two')])
  expect(twice.status).toBe(400)
  expect(JSON.stringify(twice.body)).toContain('steps[2].type')
  const branches = [
    { key: 'a', when: 'true', steps: [digest('one')] },
    { key: 'b', else: true, steps: [digest('two')] },
  ]
  expect((await create('either', [{ id: 'way', type: 'branch', branches }, inboxStep])).status).toBe(201)
})
