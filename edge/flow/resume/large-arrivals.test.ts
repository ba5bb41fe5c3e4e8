// Tests that large events for a waiting run, which are judged a few at a time, decide the same as small ones.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

const HOUR_MS = 3_600_000
/** Events of more than 1 MiB together are judged in parts; four of these are one part. */
const EVENTS = 8
const text = 'x'.repeat(200 * 1024)

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

/** Sends the events while the campaign is paused, so that they are judged together. @returns the trace of the wait, and the last event */
async function judgeTogether(wanted: number) {
  const wait = { id: 'order', type: 'waitFor', event: 'large', timeout: 'PT1H' }
  const where = `awaited.properties.at == ${wanted}`
  const then = [{ id: 'tell', type: 'inbox', title: 'It came' }]
  const id = await flow.publish({ key: 'wait', trigger: { event: 'begin' }, steps: [{ ...wait, where, then }] })
  const { eventId } = await flow.track({ name: 'begin', userId: 'ada' })
  await flow.change.pause(flow.environment.id, id)
  let last = ''
  for (let at = 1; at <= EVENTS; at++) {
    last = (await flow.track({ name: 'large', userId: 'ada', properties: { at, text } })).eventId
  }
  flow.clock.at += HOUR_MS
  await flow.change.resume(flow.environment.id, id)
  await flow.settle()
  const [run] = (await flow.event(eventId)).runs
  const { steps } = await flow.readEvents.getRun(flow.environment.id, run?.runId ?? '')
  return { step: steps[0], last }
}

test('the last of all parts may end the wait', async () => {
  expect((await judgeTogether(EVENTS)).step).toMatchObject({ outcome: 'taken', inputs: { arrivals: EVENTS } })
  expect(await flow.titles('ada')).toEqual(['It came'])
})

test('a wait that runs out says what its last event lacked, also when that was the last of a full part', async () => {
  const { step, last } = await judgeTogether(0)
  const reason = `large did not come in time; ${last}: the condition is false`
  expect(step).toMatchObject({ outcome: 'not-taken', reason, inputs: { arrivals: EVENTS } })
})
