// Tests the sentence about a message: what became of it, why, and where the cause is.

import { describe, expect, test } from 'vitest'
import type { RunAnswer } from '../../../contract/resources/run.ts'
import { type ToldDelivery, whyOf } from './why.ts'

const DELIVERY: ToldDelivery = {
  ...{ status: 'delivered', statusReason: null, channel: 'inbox', engagement: 'none', userId: 'zoe', lastError: null },
  ...{ campaignId: 'cmp_1', campaignName: 'orders', userName: null, stepId: 'tell', nextAttemptAt: null },
  ...{ sentAt: '2026-11-28T10:00:00.000Z', deliveredAt: '2026-11-28T10:00:00.000Z' },
  ...{ readAt: null, openedAt: null, clickedAt: null },
}
const runOf = (reason: string): Pick<RunAnswer, 'steps'> => ({
  steps: [{ stepId: 'tell', type: 'inbox', outcome: 'skipped', reason, at: '', durationMs: 1, inputs: {} }],
})
const skipped = (statusReason: string): ToldDelivery => ({ ...DELIVERY, status: 'skipped', statusReason })

describe('what was sent', () => {
  test.each<[Partial<ToldDelivery>, string]>([
    [{}, 'Delivered to the inbox. It was not in view yet.'],
    [{ readAt: '2026-11-28T10:00:02.000Z' }, 'Delivered to the inbox. It was read 2.0 s later.'],
    [
      { readAt: '2026-11-28T10:00:02.000Z', openedAt: '2026-11-28T10:03:00.000Z' },
      'Delivered to the inbox. It was opened 3 min later.',
    ],
    [
      { channel: 'email', status: 'sent', deliveredAt: null },
      'The provider took it. No report says yet that it arrived.',
    ],
    [{ channel: 'email', status: 'sending' }, 'It is being handed to the provider.'],
    [{ channel: 'email', status: 'queued' }, 'It waits for its turn.'],
  ])('%o: %s', (change, text) => {
    expect(whyOf({ ...DELIVERY, ...change }, undefined)).toEqual({ text })
  })
})

describe('what was not sent', () => {
  test('the sentence of the engine is told, and leads to where the cause is', () => {
    expect(whyOf(skipped('preference'), runOf('the user does not want orders by inbox'))).toEqual({
      text: 'Not sent: the user does not want orders by inbox.',
      cause: { label: 'The user', page: 'user', id: 'zoe' },
    })
    expect(whyOf(skipped('condition'), undefined)).toEqual({
      text: 'Not sent: The condition of the step was not met.',
      cause: { label: 'The campaign orders', page: 'campaign', id: 'cmp_1' },
    })
    expect(whyOf(skipped('throttled'), runOf('throttled')).text).toBe('Not sent: More than the throttle allows.')
    expect(whyOf(skipped('suppressed'), undefined)).toMatchObject({
      text: 'Not sent: zoe is suppressed on this channel.',
      cause: { page: 'suppressions', query: { userId: 'zoe' } },
    })
  })

  test('a failure has the words of the provider or of the renderer', () => {
    const failed = {
      ...DELIVERY,
      status: 'failed',
      statusReason: 'provider-error',
      lastError: '550 no such user',
    } as const
    expect(whyOf(failed, undefined)).toEqual({
      text: 'Failed: 550 no such user.',
      cause: { label: 'Mail accounts', page: 'integrations' },
    })
  })

  test('an unknown reason of a newer server is shown as it is', () => {
    expect(whyOf(skipped('something-new'), undefined).text).toBe('Not sent: Something new.')
  })

  test('a mail that waits says for what, and until when', () => {
    const queued = {
      ...DELIVERY,
      channel: 'email',
      status: 'queued',
      nextAttemptAt: '2026-11-28T12:00:00.000Z',
    } as const
    expect(whyOf({ ...queued, statusReason: 'quiet-hours' }, undefined).text).toMatch(
      /^It waits for the end of the user's quiet hours until .*\.$/,
    )
    expect(whyOf({ ...queued, lastError: 'timed out' }, undefined).text).toMatch(
      /^It waits for another attempt until .*\. The last answer: timed out\.$/,
    )
  })
})
