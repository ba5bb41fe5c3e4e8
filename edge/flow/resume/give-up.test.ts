// Tests that a run is given up before it is evaluated: after two crashes, or when no attempt came to an end.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { markOfRun } from '../../domain/in-hand.ts'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

const HOUR_MS = 3_600_000
const LEASE_MS = 60_000
let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

const waits = { id: 'pause', type: 'delay', for: 'PT1H' }
const tell = (id: string) => ({ id, type: 'inbox', title: 'Late' })

async function givenWaiting() {
  await flow.publish({ key: 'k', trigger: { event: 'began' }, steps: [waits, tell('b')] })
  const { eventId } = await flow.track({ name: 'began', userId: 'ada' })
  const runId = (await flow.event(eventId)).runs[0]?.runId ?? ''
  flow.clock.at += HOUR_MS
  return () => flow.readEvents.getRun(flow.environment.id, runId)
}

const claim = () => flow.stores.waits.claim(flow.clock.at, LEASE_MS, 500)

/** Ends a process while it evaluates the claim. */
async function crash(): Promise<void> {
  const [claimed] = await claim()
  await flow.stores.givenUps.recordCrashes(claimed === undefined ? [] : [markOfRun(claimed)], flow.clock.at)
  flow.clock.at += LEASE_MS
}

test('one crash is not enough; with two the run fails, with records of its messages and the reason', async () => {
  const run = await givenWaiting()
  await crash()
  const [second] = await claim()
  expect(second).toMatchObject({ attempts: 2, crashes: 1 })
  await flow.stores.waits.release(second === undefined ? [] : [second], flow.clock.at, null)
  await crash()
  await flow.pass(0)
  expect(await run()).toMatchObject({
    state: 'failed',
    stateReason: 'retries-exhausted',
    steps: [
      {
        stepId: 'pause',
        outcome: 'failed',
        reason: 'retries-exhausted: the process ended twice while this was handled',
      },
      { stepId: 'b', outcome: 'skipped', reason: 'retries-exhausted' },
    ],
  })
  expect(await flow.statuses('ada')).toEqual([['failed', 'retries-exhausted']])
  expect(await flow.titles('ada')).toEqual([])
  expect(await flow.stores.givenUps.list(flow.environment.id, 10)).toMatchObject([
    { kind: 'run', what: 'pause', reason: 'the process ended twice while this was handled', userId: 'ada' },
  ])
})

test('a run whose process ended also while it was given up is not read again', async () => {
  const run = await givenWaiting()
  for (let ends = 0; ends < 3; ends++) await crash()
  await flow.pass(0)
  const reason = 'the process ended 3 times while this was handled'
  expect(await run()).toMatchObject({ state: 'failed', stateReason: 'retries-exhausted' })
  // What it would have sent is not known without its version.
  expect(await flow.statuses('ada')).toEqual([])
  expect(await flow.stores.givenUps.list(flow.environment.id, 10)).toMatchObject([{ kind: 'run', reason }])
})

test('one crash alone ends nothing', async () => {
  const run = await givenWaiting()
  await crash()
  await flow.pass(0)
  expect(await run()).toMatchObject({ state: 'completed' })
  expect(await flow.titles('ada')).toEqual(['Late'])
})

test('ten attempts that nobody ended are enough, nine are not', async () => {
  const run = await givenWaiting()
  for (let attempt = 1; attempt <= 9; attempt++) {
    expect(await claim()).toMatchObject([{ attempts: attempt }])
    flow.clock.at += LEASE_MS
  }
  const [tenth] = await claim()
  expect(tenth?.attempts).toBe(10)
  flow.clock.at += LEASE_MS
  await flow.pass(0)
  expect(await run()).toMatchObject({ state: 'failed', stateReason: 'retries-exhausted' })
})

test('a run that was given up runs again when it is told to, and sends its messages', async () => {
  const run = await givenWaiting()
  await crash()
  await crash()
  await flow.pass(0)
  const [given] = await flow.stores.givenUps.list(flow.environment.id, 10)
  if (given === undefined) throw new Error('nothing given up')
  await flow.stores.givenUps.runAgain(flow.environment.id, given, flow.clock.at)
  expect(await run()).toMatchObject({ state: 'waiting', stateReason: null, endedAt: null })
  await flow.pass(0)
  expect(await run()).toMatchObject({ state: 'completed' })
  expect(await flow.titles('ada')).toEqual(['Late'])
  expect(await flow.statuses('ada')).toEqual([
    ['delivered', null],
    ['failed', 'retries-exhausted'],
  ])
})

test('archiving and cancelling end a run with two crashes like any other', async () => {
  const run = await givenWaiting()
  await crash()
  await crash()
  await flow.cancelRuns(flow.environment.id, { campaignKey: 'k', userId: 'ada' })
  expect(await run()).toMatchObject({ state: 'cancelled', stateReason: 'requested' })
})
