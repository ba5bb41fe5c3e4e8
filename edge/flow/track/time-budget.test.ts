// Tests that events and runs whose templates take long go on by jobs and claims: nothing is lost, doubled or out of order.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow({ isTimed: true })
})
afterEach(() => flow.close())

/** Takes some tens of milliseconds. */
const SLOW = '{% for a in (1..100) %}{% for b in (1..100) %}{% if b == 200 %}x{% endif %}{% endfor %}{% endfor %}'
const slowCampaign = (steps: number) => ({
  key: `slow-${steps}`,
  trigger: { event: 'slow' },
  steps: Array.from({ length: steps }, (_, at) => ({ id: `s${at}`, type: 'inbox', title: `${at}`, body: `${SLOW}.` })),
})
/** Runs jobs and claims until none is left, also those that were put off for a while. */
async function finish(): Promise<void> {
  let idle = 0
  while (idle < 3) idle = (await flow.work()) + (await flow.pass(10_000)) > 0 ? 0 : idle + 1
}

const titles = (steps: number) => Array.from({ length: steps }, (_, at) => `${steps - 1 - at}`)

test('a run that has used its time waits, and continues with the step that it has come to', async () => {
  await flow.publish(slowCampaign(40))
  const { eventId } = await flow.track({ name: 'slow', userId: 'ada' })
  const before = await flow.event(eventId)
  expect(before.runs).toMatchObject([{ state: 'waiting' }])
  const sent = (await flow.titles('ada')).length
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThan(40)
  expect(await flow.pass(0)).toBeGreaterThan(0)
  expect(await flow.titles('ada')).toEqual(titles(40))
  const { runs } = await flow.event(eventId)
  expect(runs).toMatchObject([{ state: 'completed' }])
})

test('a run that waits for its time is cancelled with a record of each further message', async () => {
  const id = await flow.publish(slowCampaign(40))
  await flow.track({ name: 'slow', userId: 'ada' })
  const sent = (await flow.titles('ada')).length
  await flow.change.archive(flow.environment.id, id)
  await flow.settle()
  const statuses = await flow.statuses('ada')
  expect(statuses).toHaveLength(40)
  expect(statuses.filter(([status]) => status === 'delivered')).toHaveLength(sent)
  expect(statuses.filter(([status]) => status === 'cancelled')).toHaveLength(40 - sent)
})

test('an event whose evaluations take long is fanned out, and serves each recipient once', async () => {
  await flow.publish(slowCampaign(1))
  const userIds = Array.from({ length: 50 }, (_, at) => `u${at}`)
  const { eventId } = await flow.track({ name: 'slow', userIds: [...userIds, 'u0', 'u7'] })
  const { outcome } = await flow.event(eventId)
  expect(outcome).toBe('fanned-out')
  const begun = (await Promise.all(userIds.map((userId) => flow.titles(userId)))).filter((list) => list.length > 0)
  expect(begun.length).toBeGreaterThan(0)
  expect(begun.length).toBeLessThan(50)
  await finish()
  for (const userId of userIds) expect(await flow.titles(userId)).toEqual(titles(1))
})

test('the events of a batch are in order for each user, and those that are put off follow', async () => {
  await flow.publish({
    key: 'quick',
    trigger: { event: 'quick' },
    steps: [{ id: 's', type: 'inbox', title: '{{ event.properties.n | plus: 0 }}' }],
  })
  const inputs = Array.from({ length: 48 }, (_, n) => ({ name: 'quick', userId: `u${n % 4}`, properties: { n } }))
  await flow.trackBatch(inputs)
  const titlesOf = async (user: number) => (await flow.titles(`u${user}`)).map(Number).reverse()
  const users = [0, 1, 2, 3]
  const before = await Promise.all(users.map(titlesOf))
  for (const titles of before) expect(titles).toEqual([...titles].sort((one, other) => one - other))
  expect(before.flat().length).toBeGreaterThan(0)
  // A busy machine needs the time of the request before its last event.
  await finish()
  const after = (await Promise.all(users.map(titlesOf))).flat()
  expect(after.sort((one, other) => one - other)).toEqual(inputs.map(({ properties }) => properties.n))
})
