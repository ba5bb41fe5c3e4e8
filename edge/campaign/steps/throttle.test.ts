// Tests the step `throttle` from the event to the records, on a real store.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

let given: GivenFlow
beforeEach(async () => {
  given = await givenFlow()
})
afterEach(() => given.close())

const throttle = { id: 'calm', type: 'throttle', limit: 2, window: 'PT1H' }
const tell = (id: string, title = '{{ event.properties.n }}') => ({ id, type: 'inbox', title })
const campaign = (...steps: object[]) => ({ key: 'noise', trigger: { event: 'noise.made' }, steps })

async function trackMany(userId: string, numbers: number[]) {
  const inputs = numbers.map((n) => ({ name: 'noise.made', userId, properties: { n } }))
  return given.trackBatch(inputs)
}

async function runsOf(answers: Awaited<ReturnType<typeof trackMany>>) {
  const events = await Promise.all(
    answers.map((answer) => given.event('eventId' in answer ? answer.eventId : '').then((event) => event.runs[0])),
  )
  return events.map((run) => [run?.state, run?.stateReason])
}

const PASSED = ['completed', null]
const THROTTLED = ['completed', 'throttled']

test('of many runs in one batch the first pass, counted per user', async () => {
  await given.publish(campaign(throttle, tell('tell')))
  const [mine, others] = await Promise.all([trackMany('u1', [1, 2, 3, 4]), trackMany('u2', [5, 6, 7])])
  expect(await given.titles('u1')).toEqual(['2', '1'])
  expect(await given.titles('u2')).toEqual(['6', '5'])
  expect(await runsOf(mine)).toEqual([PASSED, PASSED, THROTTLED, THROTTLED])
  expect(await runsOf(others)).toEqual([PASSED, PASSED, THROTTLED])
})

test('the window begins with the first run that passes, and a new one after its end', async () => {
  await given.publish(campaign(throttle, tell('tell')))
  await trackMany('u1', [1])
  given.clock.at += 59 * 60_000
  await trackMany('u1', [2, 3])
  given.clock.at += 60_000 - 1
  await trackMany('u1', [4])
  expect(await given.titles('u1')).toEqual(['2', '1'])
  given.clock.at += 1
  await trackMany('u1', [5, 6, 7])
  expect(await given.titles('u1')).toEqual(['6', '5', '2', '1'])
})

test('a throttled run has a record of each later message, and changes no counter', async () => {
  const id = await given.publish(
    campaign(
      tell('before'),
      { ...throttle, limit: 1 },
      {
        id: 'size',
        type: 'branch',
        branches: [{ key: 'big', when: 'event.properties.n > 1', steps: [tell('inner')] }],
      },
      tell('after'),
      { id: 'end', type: 'exit' },
      tell('never'),
    ),
  )
  const answers = await trackMany('u1', [1, 2])
  expect(await given.titles('u1')).toEqual(['2', '1', '1'])
  const eventId = answers.map((answer) => ('eventId' in answer ? answer.eventId : ''))[1] ?? ''
  const run = (await given.event(eventId)).runs[0]
  expect(run).toMatchObject({ state: 'completed', stateReason: 'throttled', branch: 'big' })
  const detail = await given.readEvents.getRun(given.environment.id, run?.runId ?? '')
  expect(detail.steps.map((step) => [step.stepId, step.outcome, step.reason])).toEqual([
    ['before', 'done', null],
    ['calm', 'skipped', 'throttled'],
    ['size', 'taken', 'big: the condition holds'],
    ['inner', 'skipped', 'throttled'],
    ['after', 'skipped', 'throttled'],
    ['end', 'skipped', 'throttled'],
  ])
  const { records: skipped } = await given.stores.deliveries.step(given.environment.id, { status: 'skipped' }, null, 10)
  expect(skipped.map(({ stepId, statusReason, acceptedAt }) => [stepId, statusReason, acceptedAt])).toEqual([
    ['after', 'throttled', null],
    ['inner', 'throttled', null],
  ])
  const { steps } = await given.readFunnel(given.environment.id, id, { window: 'all', channel: 'inbox' })
  expect(steps[0]?.count).toBe(3)
})

test('a second throttle counts only runs that passed the first', async () => {
  await given.publish(campaign(throttle, { ...throttle, id: 'calmer', limit: 1, window: 'P1D' }, tell('tell')))
  await trackMany('u1', [1, 2, 3])
  given.clock.at += 60 * 60_000
  const answers = await trackMany('u1', [4])
  expect(await given.titles('u1')).toEqual(['1'])
  expect(await runsOf(answers)).toEqual([THROTTLED])
  given.clock.at += 23 * 60 * 60_000
  await trackMany('u1', [5])
  expect(await given.titles('u1')).toEqual(['5', '1'])
})

test('a repeat of an idempotency key is not counted, and a test is neither counted nor limited', async () => {
  const id = await given.publish(campaign(throttle, tell('tell')))
  const event = { name: 'noise.made', userId: 'u1', properties: { n: 1 }, idempotencyKey: 'k' }
  await given.trackBatch([event, event, event])
  await given.tryOut.test(given.environment, null, id, { userId: 'u1', event: { properties: { n: 0 } } }, 'c')
  await trackMany('u1', [2, 3])
  await given.tryOut.test(given.environment, null, id, { userId: 'u1', event: { properties: { n: 9 } } }, 'c')
  expect(await given.titles('u1')).toEqual(['9', '2', '0', '1'])
})

test('a new version continues the count of the former one', async () => {
  const id = await given.publish(campaign(throttle, tell('tell')))
  await trackMany('u1', [1, 2])
  await given.change.putDraft(given.environment.id, id, campaign({ ...throttle, limit: 3 }, tell('tell')))
  await given.change.publish(given.environment.id, id)
  await trackMany('u1', [3, 4])
  expect(await given.titles('u1')).toEqual(['3', '2', '1'])
})
