// Tests of both engines: what waits is counted from when its time came at first, over all attempts.

import { describe, expect, test } from 'vitest'
import type { ClaimKind } from '../../domain/in-hand.ts'
import { givenStore, HOUR, type OpenStores, trackPlan, write } from './given.ts'
import { changeMail, claimOne, endMails, HAND_OVER, mailsOf } from './given-mail.ts'
import { begin, continuation, waitOf } from './given-waits.ts'

const NOTHING = { count: 0, oldestMs: 0, error: null }

/** Runs on a store in which nothing waits. */
export function waitingSuite(open: OpenStores): void {
  describe('what waits', () => {
    const given = givenStore(open)
    const { givenClaimed } = mailsOf(given)
    const waiting = async (kind: ClaimKind) => (await given.stores.waitings.read(given.now()))[kind]

    test('a mail that its provider does not take waits since its first attempt, with the last error', async () => {
      const { environmentId, change, claim } = await givenClaimed()
      expect(await waiting('mail')).toEqual({ count: 1, oldestMs: 0, error: null })
      await change(HAND_OVER)
      await change({ does: 'retry', at: given.now() + HOUR / 6, error: 'no answer' })
      given.advance(HOUR / 12)
      expect(await waiting('mail')).toEqual({ count: 1, oldestMs: HOUR / 12, error: 'no answer' })
      given.advance(HOUR / 12)
      const again = await claimOne(given)
      expect(again.messageId).toBe(claim.messageId)
      await changeMail(given, again, environmentId, { does: 'await-permit', integrationId: 7, error: null })
      expect(await waiting('mail')).toEqual({ count: 1, oldestMs: HOUR / 6, error: 'no answer' })
      const held = { messageId: again.messageId, fence: again.fence + 1 }
      await changeMail(given, held, environmentId, { does: 'end', status: 'cancelled', reason: 'test', error: null })
      expect(await waiting('mail')).toEqual(NOTHING)
    })

    test('mails of a paused campaign and of quiet hours do not count', async () => {
      const paused = await givenClaimed()
      await paused.change({ does: 'await-resume', campaignId: paused.campaignId, until: given.now() + HOUR })
      const quiet = await givenClaimed()
      await quiet.change({ does: 'await-quiet-end', at: given.now() + HOUR })
      given.advance(HOUR / 2)
      expect(await waiting('mail')).toEqual(NOTHING)
      given.advance(HOUR)
      await endMails(given, await given.stores.mails.claim(given.now(), 1000, 10))
    })

    test('a run waits from the end of its timer on, also while it is claimed', async () => {
      const environmentId = given.environmentId()
      const wait = waitOf(given, { dueAt: given.now() + HOUR })
      await begin(given, environmentId, [wait])
      expect(await waiting('run')).toEqual(NOTHING)
      given.advance(HOUR + 5000)
      expect(await waiting('run')).toEqual({ count: 1, oldestMs: 5000, error: null })
      const [claimed] = await given.stores.waits.claim(given.now(), HOUR, 10)
      given.advance(1000)
      expect(await waiting('run')).toEqual({ count: 1, oldestMs: 6000, error: null })
      await given.stores.commit.track(continuation(given, environmentId, claimed, null))
      expect(await waiting('run')).toEqual(NOTHING)
    })

    test('a job that fails waits since it was made; a later part of a long one does not', async () => {
      const { jobs } = given.stores
      const environmentId = given.environmentId()
      const times = { runAt: given.now(), createdAt: given.now() }
      const job = { id: given.id(), environmentId, kind: 'waits', payload: '{}', ...times }
      await write(given, { ...trackPlan(given, { environmentId }), jobs: [job] })
      const claim = async () =>
        (await jobs.claim(given.now(), HOUR, 1, ['waits']))[0] ?? { environmentId, id: 0, fence: 0 }
      given.advance(4000)
      await jobs.goOn(await claim(), given.now())
      expect(await waiting('job')).toEqual({ count: 1, oldestMs: 0, error: null })
      await jobs.fail(await claim(), { error: 'away', now: given.now(), retryAt: given.now() + HOUR, isCounted: true })
      expect(await waiting('job')).toEqual({ count: 1, oldestMs: 4000, error: 'away' })
      given.advance(HOUR)
      await jobs.complete(await claim())
      expect(await waiting('job')).toEqual(NOTHING)
    })
  })
}
