// Tests the reads of tracked events and runs.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatId } from '../../lib/id.ts'
import { type GivenFlow, givenFlow, messageCampaign } from '../../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(async () => flow.close())

const ENVIRONMENT = 7

describe('events', () => {
  test('are listed newest first, page by page, with their results', async () => {
    await flow.publish(messageCampaign('a', 'e'))
    const ids: string[] = []
    for (const userId of ['u', 'v', 'w']) ids.unshift((await flow.track({ name: 'e', userId })).eventId)
    const first = await flow.readEvents.list(ENVIRONMENT, { limit: 2 })
    expect(first.data.map((event) => event.eventId)).toEqual(ids.slice(0, 2))
    expect(first.data[0]).toMatchObject({ runs: [{ userId: 'w' }], messageIds: [expect.stringMatching(/^msg_/)] })
    const second = await flow.readEvents.list(ENVIRONMENT, { limit: 2, cursor: first.nextCursor ?? '' })
    expect([second.data.map((event) => event.eventId), second.nextCursor]).toEqual([ids.slice(2), null])
  })

  test('are filtered by name, user and time of receipt', async () => {
    const start = flow.clock.at
    await flow.track({ name: 'a', userId: 'u' })
    flow.clock.at = start + 1000
    await flow.track({ name: 'b', userId: 'u' })
    flow.clock.at = start + 2000
    await flow.track({ name: 'b', userId: 'v' })
    const names = async (filter: object) =>
      (await flow.readEvents.list(ENVIRONMENT, { limit: 10, ...filter })).data.map(
        (event) => `${event.name}${event.userId}`,
      )
    expect(await names({ name: 'b' })).toEqual(['bv', 'bu'])
    expect(await names({ userId: 'u' })).toEqual(['bu', 'au'])
    expect(await names({ name: 'b', userId: 'u' })).toEqual(['bu'])
    expect(await names({ from: start + 1000 })).toEqual(['bv', 'bu'])
    expect(await names({ to: start + 1000 })).not.toContain('bv')
    expect(await names({ name: 'c' })).toEqual([])
  })

  test.each(['nonsense', 'evt_00000000000', formatId('run', 5)])('%s is not found', async (eventId) => {
    await expect(flow.readEvents.get(ENVIRONMENT, eventId)).rejects.toMatchObject({ code: 'event/not-found' })
    await expect(flow.readEvents.listRuns(ENVIRONMENT, eventId, { limit: 5 })).rejects.toMatchObject({
      code: 'event/not-found',
    })
    await expect(flow.readEvents.getRun(ENVIRONMENT, eventId)).rejects.toMatchObject({ code: 'run/not-found' })
  })

  test('of another environment are not found', async () => {
    await flow.publish(messageCampaign('a', 'e'))
    const { eventId } = await flow.track({ name: 'e', userId: 'u' })
    const runId = (await flow.event(eventId)).runs[0]?.runId ?? ''
    await expect(flow.readEvents.get(8, eventId)).rejects.toMatchObject({ code: 'event/not-found' })
    await expect(flow.readEvents.getRun(8, runId)).rejects.toMatchObject({ code: 'run/not-found' })
    expect((await flow.readEvents.list(8, { limit: 5 })).data).toEqual([])
  })

  test('a cursor of another list is refused', async () => {
    const page = await flow.change.list(ENVIRONMENT, { limit: 1 })
    expect(page.nextCursor).toBeNull()
    await flow.publish(messageCampaign('a', 'e'))
    await flow.publish(messageCampaign('b', 'e'))
    const { nextCursor } = await flow.change.list(ENVIRONMENT, { limit: 1 })
    await expect(flow.readEvents.list(ENVIRONMENT, { limit: 1, cursor: nextCursor ?? '' })).rejects.toMatchObject({
      code: 'request/invalid-query',
    })
  })
})

test('a run has its wire shape', async () => {
  const campaignId = await flow.publish(messageCampaign('a', 'e'))
  const { eventId } = await flow.track({ name: 'e', userId: 'u' }, 'corr')
  const event = await flow.event(eventId)
  expect(await flow.readEvents.getRun(ENVIRONMENT, event.runs[0]?.runId ?? '')).toEqual({
    runId: expect.stringMatching(/^run_/),
    eventId,
    campaignId,
    campaignKey: 'a',
    campaignName: 'Campaign a',
    version: 1,
    branch: null,
    userId: 'u',
    userName: null,
    state: 'completed',
    stateReason: null,
    isTest: false,
    correlationId: 'corr',
    startedAt: '2026-05-01T12:00:00.000Z',
    endedAt: '2026-05-01T12:00:00.000Z',
    steps: [
      {
        stepId: 'tell',
        type: 'inbox',
        outcome: 'done',
        reason: null,
        at: '2026-05-01T12:00:00.000Z',
        durationMs: 0,
        inputs: { verdict: 'send' },
      },
    ],
    messageIds: event.messageIds,
  })
})
