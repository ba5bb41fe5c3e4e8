// Tests that runs can end while they wait at any step, and what the delivery history records of them.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TrackPlan } from '../domain/plan.ts'
import { ApiError } from '../lib/api-error.ts'
import { type GivenFlow, givenFlow } from '../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

const HOUR_MS = 3_600_000
/** The longest pause before another attempt, and more. */
const PAUSE_MS = 6 * 60_000
const tell = (id: string, title: string) => ({ id, type: 'inbox', title })
const waits = { id: 'pause', type: 'delay', for: 'PT1H' }

async function begin(name: string, userId: string, properties: Record<string, unknown> = {}) {
  const { eventId } = await flow.track({ name, userId, properties })
  const runId = (await flow.event(eventId)).runs[0]?.runId ?? ''
  return () => flow.readEvents.getRun(flow.environment.id, runId)
}
const archive = async (id: string) => {
  await flow.change.archive(flow.environment.id, id)
  await flow.settle()
}

/** Makes the store refuse the selected plans; all others are committed. */
function refuse(isRefused: (plan: TrackPlan) => boolean, error = new Error('The disk says no.')): void {
  const { commit } = flow.stores
  const track = commit.track.bind(commit)
  vi.spyOn(commit, 'track').mockImplementation((plan) => (isRefused(plan) ? Promise.reject(error) : track(plan)))
}

const size = (small: unknown) => ({
  id: 'size',
  type: 'branch',
  branches: [
    { key: 'big', when: 'event.properties.n > 1', steps: [tell('large', 'Large')] },
    { key: 'rest', else: true, steps: [small] },
  ],
})

test('an archived run takes no branch, records what would have come in any case, and sent messages stay', async () => {
  const steps = [tell('a', 'First'), waits, size(tell('small', 'Small')), tell('b', 'Last')]
  const id = await flow.publish({ key: 'k', trigger: { event: 'began' }, steps })
  const run = await begin('began', 'ada', { n: 5 })
  await archive(id)
  expect(await run()).toMatchObject({
    state: 'cancelled',
    stateReason: 'archived',
    branch: null,
    steps: [
      { stepId: 'a', outcome: 'done' },
      { stepId: 'pause', outcome: 'skipped', reason: 'cancelled: archived' },
      { stepId: 'size', outcome: 'skipped', reason: 'archived' },
      { stepId: 'b', outcome: 'skipped', reason: 'archived' },
    ],
  })
  expect(await flow.statuses('ada')).toEqual([
    ['cancelled', 'archived'],
    ['delivered', null],
  ])
  expect(await flow.titles('ada')).toEqual(['First'])
})

test.each([
  ['at the top', (step: unknown) => step],
  [
    'in a waitFor',
    (step: unknown) => ({ id: 'reply', type: 'waitFor', event: 'replied', timeout: 'PT1H', onTimeout: [step] }),
  ],
])('an archived run records nothing after a branch that may end it (%s)', async (_, inside) => {
  const steps = [waits, inside(size({ id: 'end', type: 'exit' })), tell('b', 'Last')]
  const id = await flow.publish({ key: 'k', trigger: { event: 'began' }, steps })
  const run = await begin('began', 'ada', { n: 5 })
  await archive(id)
  expect((await run()).steps.at(-1)).toMatchObject({ stepId: 'size', outcome: 'skipped' })
  expect(await flow.statuses('ada')).toEqual([])
})

test.each([
  ['that waits for an event', []],
  ['that comes to a waitFor later', [waits]],
])('a run %s tells what it would have sent had the event never come', async (_, before) => {
  const step = {
    id: 'reply',
    type: 'waitFor',
    event: 'replied',
    timeout: 'PT1H',
    then: [tell('thanks', 'Thanks')],
    onTimeout: [tell('nudge', 'Well?')],
  }
  const id = await flow.publish({ key: 'k', trigger: { event: 'began' }, steps: [...before, step, tell('b', 'Last')] })
  const run = await begin('began', 'ada')
  await archive(id)
  expect((await run()).steps.at(-2)).toMatchObject({ stepId: 'nudge', outcome: 'skipped', reason: 'archived' })
  expect(await flow.statuses('ada')).toEqual([
    ['cancelled', 'archived'],
    ['cancelled', 'archived'],
  ])
})

test('a plan that the store refuses in ten attempts fails its run, with a record of the reason', async () => {
  await flow.publish({
    key: 'k',
    trigger: { event: 'began' },
    steps: [waits, tell('b', 'Late {{ event.properties.n }}')],
  })
  const run = await begin('began', 'ada', { n: 1 })
  const other = await begin('began', 'bob', { n: 2 })
  refuse(({ messages }) => messages.some(({ snapshot }) => snapshot.includes('Late 1')))
  await flow.pass(HOUR_MS)
  for (let attempt = 2; attempt <= 9; attempt++) await flow.pass(PAUSE_MS)
  expect(await run()).toMatchObject({ state: 'waiting' })
  await flow.pass(PAUSE_MS)
  expect(await run()).toMatchObject({
    state: 'failed',
    stateReason: 'retries-exhausted',
    steps: [
      { stepId: 'pause', outcome: 'failed', reason: expect.stringMatching(/^retries-exhausted: The disk says no/) },
      { stepId: 'b', outcome: 'skipped', reason: 'retries-exhausted' },
    ],
  })
  expect(await flow.statuses('ada')).toEqual([['failed', 'retries-exhausted']])
  expect(await other()).toMatchObject({ state: 'completed' })
  expect(await flow.pass(30 * 24 * HOUR_MS)).toBe(0)
})

test('a store that is unavailable for longer than ten attempts ends no run', async () => {
  await flow.publish({ key: 'k', trigger: { event: 'began' }, steps: [waits, tell('b', 'Late')] })
  const run = await begin('began', 'ada')
  let isAway = true
  refuse(({ messages }) => isAway && messages.length > 0, new ApiError('service/unavailable'))
  await flow.pass(HOUR_MS)
  for (let attempt = 2; attempt <= 12; attempt++) await flow.pass(PAUSE_MS)
  expect(await run()).toMatchObject({ state: 'waiting' })
  isAway = false
  await flow.pass(PAUSE_MS)
  expect(await run()).toMatchObject({ state: 'completed' })
  expect(await flow.titles('ada')).toEqual(['Late'])
})

test('a run whose records are refused too ends without them', async () => {
  await flow.publish({ key: 'k', trigger: { event: 'began' }, steps: [waits, tell('b', 'Late')] })
  const run = await begin('began', 'ada')
  refuse(({ messages }) => messages.length > 0)
  await flow.pass(HOUR_MS)
  for (let attempt = 2; attempt <= 10; attempt++) await flow.pass(PAUSE_MS)
  expect(await run()).toMatchObject({ state: 'failed', stateReason: 'retries-exhausted' })
  expect(await flow.pass(30 * 24 * HOUR_MS)).toBe(0)
})

test('a version that cannot be read any more fails its own runs, and delays no other', async () => {
  await flow.publish({ key: 'k', trigger: { event: 'began' }, steps: [waits, tell('b', 'Never')] })
  await flow.publish({ key: 'other', trigger: { event: 'went' }, steps: [waits, tell('b', 'Told')] })
  const run = await begin('began', 'ada')
  await begin('went', 'bob')
  const { campaigns } = flow.stores
  const findVersion = campaigns.findVersion.bind(campaigns)
  vi.spyOn(campaigns, 'findVersion').mockImplementation(async (environmentId, id, version) => {
    const found = await findVersion(environmentId, id, version)
    if (JSON.stringify(found).includes('Never')) throw new Error('This version is of another time.')
    return found
  })
  await flow.pass(HOUR_MS)
  await flow.pass(PAUSE_MS)
  expect(await flow.titles('bob')).toEqual(['Told'])
  for (let attempt = 3; attempt <= 10; attempt++) await flow.pass(PAUSE_MS)
  expect(await run()).toMatchObject({ state: 'failed', stateReason: 'retries-exhausted' })
})
