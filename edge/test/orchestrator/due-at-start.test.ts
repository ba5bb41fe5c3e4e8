// Tests timers that became due while no server ran: they run at the start, once, in order of their times.
// The rate limit of timers has its test in jobs/claim-loop.test.ts.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { toIso } from '../../lib/clock.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { createRawClient } from '../support/raw-client.ts'
import { createPageReader } from '../support/read-pages.ts'

/** Almost one full claim; a second claim would run in parallel. */
const RUNS = 480
const USERS = 20
const HOUR_MS = 3_600_000

let laterMs = 0
const clock = { now: () => Date.now() + laterMs }
let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge({}, { clock })
})
afterAll(() => given.stop())

test('waits that became due while the server was stopped resume at its start, in order of their times', async () => {
  const key = given.demo.environments.dev.sdkSecretKey
  await given.publish({
    key: 'waiting',
    trigger: { event: 'wait.began' },
    steps: [
      { id: 'pause', type: 'delay', until: '{{ event.properties.at }}' },
      { id: 'tell', type: 'inbox', title: '{{ event.properties.n }}' },
    ],
  })
  // The run that is sent last is due first.
  const lastAt = clock.now() + HOUR_MS
  const events = Array.from({ length: RUNS }, (_, n) => {
    return { name: 'wait.began', userId: `waiting-${n % USERS}`, properties: { n, at: toIso(lastAt - n) } }
  })
  const sent = await given.call<{ results: { eventId: string }[] }>('POST', '/v1/events/track/batch', {
    key,
    body: { sdkSecretKey: key, events },
  })
  const eventIds = sent.body.results.map(({ eventId }) => eventId)
  expect(await statesOf(eventIds[RUNS - 1])).toEqual(['waiting'])
  await given.edge.close()
  laterMs = HOUR_MS
  await given.restart()

  const client = createRawClient()
  const listResumed = async () => {
    const records = await createPageReader(client, given.url).readAll<{ eventId: string }>('/v1/deliveries', key)
    return records.map(({ eventId }) => eventId)
  }
  await expect.poll(async () => (await listResumed()).length, { interval: 50 }).toBe(RUNS)
  // Newest first: the run that was sent first was due last.
  expect(await listResumed()).toEqual(eventIds)
  const { data } = await given.page(await given.signIn('waiting-7'), '?limit=100')
  expect(data.map(({ title }) => Number(title))).toEqual(Array.from({ length: RUNS / USERS }, (_, n) => 7 + n * USERS))
  client.close()
})

async function statesOf(eventId: string | undefined): Promise<string[]> {
  const key = given.demo.environments.dev.sdkSecretKey
  const event = await given.call<{ runs: { state: string }[] }>('GET', `/v1/events/${eventId}`, { key })
  return event.body.runs.map(({ state }) => state)
}
