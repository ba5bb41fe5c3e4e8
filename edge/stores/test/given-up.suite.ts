// Tests of both engines: claims that a process ended with are claimed one at a time, and what was given up stays.

import { describe, expect, test } from 'vitest'
import type { WorkMark } from '../../domain/in-hand.ts'
import type { TrackPlan } from '../../domain/plan.ts'
import { type Given, givenStore, type OpenStores, trackPlan, write } from './given.ts'
import { changeMail, claimMails, endMails, givenCampaign, givenMail } from './given-mail.ts'
import { begin, continuation, waitOf } from './given-waits.ts'
import { purgeAll } from './retention.suite.ts'

const LEASE_MS = 60_000

export function givenUpSuite(open: OpenStores): void {
  describe('given up', () => {
    const given = givenStore(open)
    const claimWaits = () => given.stores.waits.claim(given.now(), LEASE_MS, 500)
    const claimJobs = () => given.stores.jobs.claim(given.now(), LEASE_MS, 10, ['k'])
    const ofRun = (environmentId: number, id: number): WorkMark => ({ kind: 'run', environmentId, id })

    /** Gives a run up that waits for an event. @returns its environment, its wait and the id of its event */
    async function givenGivenUp() {
      const environmentId = given.environmentId()
      const campaignId = await givenCampaign(given, environmentId)
      const wait = waitOf(given, { awaits: 'paid', campaignId })
      await begin(given, environmentId, [wait])
      const [claimed] = await claimWaits()
      const plan = continuation(given, environmentId, claimed, null)
      const continues = {
        ...plan.continues,
        state: 'failed',
        stateReason: 'retries-exhausted',
        givenUp: 'it ended twice',
      }
      await write(given, { ...plan, continues: { ...continues, dropsArrivals: false } as TrackPlan['continues'] })
      return { environmentId, wait }
    }

    test('a crash is counted for the marked work alone, and for no work that is done', async () => {
      const environmentId = given.environmentId()
      const [one, other] = [waitOf(given), waitOf(given)]
      await begin(given, environmentId, [one, other])
      const [job] = await givenJobs(given, environmentId, 1)
      const campaignId = await givenCampaign(given, environmentId)
      const mail = await givenMail(given, { environmentId, campaignId })
      const marks: WorkMark[] = [
        ofRun(environmentId, one.runId),
        { kind: 'job', environmentId, id: job ?? 0 },
        { kind: 'mail', environmentId, id: mail.id },
        ofRun(environmentId, 1),
      ]
      await given.stores.givenUps.recordCrashes(marks, given.now())
      await given.stores.givenUps.recordCrashes([ofRun(environmentId, one.runId)], given.now())
      const waits = await claimWaits()
      expect(waits.map(({ runId, crashes }) => [runId, crashes]).sort()).toEqual(
        [
          [one.runId, 2],
          [other.runId, 0],
        ].sort(),
      )
      expect(await claimJobs()).toMatchObject([{ id: job, crashes: 1 }])
      const mails = await claimMails(given)
      expect(mails).toMatchObject([{ messageId: mail.id, crashes: 1, claims: 1 }])
      // The next wait of the run begins without crashes.
      const claimed = waits.find(({ runId }) => runId === one.runId)
      await write(given, continuation(given, environmentId, claimed, { ...one, number: 2 }))
      expect(await claimWaits()).toMatchObject([{ runId: one.runId, number: 2, crashes: 0, attempts: 1 }])
      await endMails(given, mails)
      await endAll(given)
    })

    test('work in hand when a process ended is due after a pause; a longer wait, and what was given up, stay', async () => {
      const { wait: dead, environmentId: ofDead } = await givenGivenUp()
      const environmentId = given.environmentId()
      const one = waitOf(given)
      const later = waitOf(given, { dueAt: given.now() + 20 })
      await begin(given, environmentId, [one, later])
      const [job = 0] = await givenJobs(given, environmentId, 1)
      const campaignId = await givenCampaign(given, environmentId)
      const mail = await givenMail(given, { environmentId, campaignId })
      const marks: WorkMark[] = [
        ...[one, later].map(({ runId }) => ofRun(environmentId, runId)),
        ofRun(ofDead, dead.runId),
        { kind: 'job', environmentId, id: job },
        { kind: 'mail', environmentId, id: mail.id },
      ]
      await given.stores.givenUps.recordCrashes(marks, given.now() + 10)
      given.advance(9)
      expect([await claimWaits(), await claimJobs(), await claimMails(given)]).toEqual([[], [], []])
      given.advance(1)
      expect(await claimWaits()).toMatchObject([{ runId: one.runId, crashes: 1 }])
      expect(await claimJobs()).toMatchObject([{ id: job, crashes: 1 }])
      const mails = await claimMails(given)
      expect(mails).toMatchObject([{ messageId: mail.id, crashes: 1 }])
      expect(await claimWaits()).toEqual([])
      given.advance(10)
      expect(await claimWaits()).toMatchObject([{ runId: later.runId, crashes: 1 }])
      await endMails(given, mails)
      await endAll(given)
    })

    test('of claims that were interrupted each claim takes the oldest alone, and all others', async () => {
      const environmentId = given.environmentId()
      const interrupted = [0, 1, 2].map((n) => waitOf(given, { dueAt: given.now() - 3 + n }))
      await begin(given, environmentId, interrupted)
      expect(await claimWaits()).toHaveLength(3)
      const jobs = await givenJobs(given, environmentId, 2)
      expect(await claimJobs()).toHaveLength(2)
      given.advance(LEASE_MS)
      const fresh = [waitOf(given), waitOf(given)]
      await begin(given, environmentId, fresh)
      const [late] = await givenJobs(given, environmentId, 1)
      const idsOf = (waits: { runId: number }[]) => waits.map(({ runId }) => runId)
      expect(idsOf(await claimWaits())).toEqual(idsOf([...interrupted.slice(0, 1), ...fresh]))
      expect(idsOf(await claimWaits())).toEqual(idsOf(interrupted.slice(1, 2)))
      expect(idsOf(await claimWaits())).toEqual(idsOf(interrupted.slice(2)))
      expect((await claimJobs()).map(({ id }) => id).sort()).toEqual([jobs[0], late].sort())
      expect((await claimJobs()).map(({ id }) => id)).toEqual([jobs[1]])
      await endAll(given)
    })

    test('a run that was given up is failed, keeps its wait, is not due, and no event or cancellation reaches it', async () => {
      const { environmentId, wait } = await givenGivenUp()
      given.advance(LEASE_MS)
      expect(await claimWaits()).toEqual([])
      const { stores } = given
      expect(await stores.givenUps.list(environmentId, 10)).toEqual([
        {
          kind: 'run',
          id: wait.runId,
          environmentId,
          givenUpAt: given.now() - LEASE_MS,
          reason: 'it ended twice',
          what: wait.stepId,
          campaignId: wait.campaignId,
          campaignKey: expect.any(String),
          campaignName: expect.any(String),
          userId: 'u1',
          userName: null,
        },
      ])
      expect(await stores.events.findRun(environmentId, wait.runId)).toMatchObject({ state: 'failed' })
      expect(await stores.arrivals.countWaiting(environmentId, 'paid', ['u1'])).toEqual(new Map())
      const event = trackPlan(given, { environmentId, userIds: ['u1'] })
      const awaitedEvent = { eventId: event.event?.id ?? 0, name: 'paid', userIds: ['u1'] }
      await write(given, { ...event, awaitedEvent })
      expect(await stores.arrivals.find([{ environmentId, runId: wait.runId }])).toEqual(new Map())
      expect(await stores.waits.listOfUser(environmentId, wait.campaignId, 'u1', 0, 10)).toEqual([])
      await stores.waits.makeDue(wait.campaignId, 'all', 0, 500, given.now())
      expect(await claimWaits()).toEqual([])
    })

    test('it runs again or is dropped in its own environment alone, and once', async () => {
      const { environmentId, wait } = await givenGivenUp()
      const { givenUps, events } = given.stores
      const mark = ofRun(environmentId, wait.runId)
      expect(await givenUps.runAgain(given.environmentId(), mark, given.now())).toBe(false)
      expect(await givenUps.drop(given.environmentId(), mark)).toBe(false)
      expect(await givenUps.list(given.environmentId(), 10)).toEqual([])
      expect(await givenUps.runAgain(environmentId, mark, given.now())).toBe(true)
      expect(await givenUps.runAgain(environmentId, mark, given.now())).toBe(false)
      expect(await events.findRun(environmentId, wait.runId)).toMatchObject({
        state: 'waiting',
        endedAt: null,
        steps: [{ type: 'again', outcome: 'done', reason: `run again, at ${new Date(given.now()).toISOString()}` }],
      })
      expect(await claimWaits()).toMatchObject([{ runId: wait.runId, attempts: 1, crashes: 0, stepId: wait.stepId }])
      await endAll(given)
      const dropped = await givenGivenUp()
      const before = await givenUps.count()
      expect(await givenUps.drop(dropped.environmentId, ofRun(dropped.environmentId, dropped.wait.runId))).toBe(true)
      expect((await givenUps.count()).run).toBe(before.run - 1)
      expect(
        await givenUps.runAgain(dropped.environmentId, ofRun(dropped.environmentId, dropped.wait.runId), given.now()),
      ).toBe(false)
    })

    test('a dead job and a mail that was given up are listed, run again, and dropped', async () => {
      const environmentId = given.environmentId()
      const { givenUps, jobs, deliveries } = given.stores
      const [job = 0] = await givenJobs(given, environmentId, 1)
      const campaignId = await givenCampaign(given, environmentId)
      const message = await givenMail(given, { environmentId, campaignId })
      async function giveUp(): Promise<void> {
        const [claimed] = await claimJobs()
        const failed = { error: 'it broke', now: given.now(), retryAt: null, isCounted: true }
        await jobs.fail({ environmentId, id: job, fence: claimed?.fence ?? 0 }, failed)
        const [mail] = await claimMails(given)
        const end = {
          does: 'end',
          status: 'failed',
          reason: 'retries-exhausted',
          error: 'it ended',
          isGivenUp: true,
        } as const
        expect(mail).toMatchObject({ messageId: message.id, claims: 1, attempts: 0 })
        await changeMail(given, { messageId: message.id, fence: mail?.fence ?? 0 }, environmentId, end)
      }
      await giveUp()
      const listed = [
        {
          kind: 'mail',
          id: message.id,
          reason: 'it ended',
          what: 'notify',
          campaignId,
          campaignKey: expect.any(String),
          userId: 'u1',
        },
        { kind: 'job', id: job, reason: 'it broke', what: 'k', campaignId: null, campaignKey: null, userId: null },
      ]
      expect(await givenUps.list(environmentId, 10)).toMatchObject(listed)
      expect(await givenUps.list(null, 1)).toMatchObject(listed.slice(0, 1))
      const marks = [
        { kind: 'job', id: job },
        { kind: 'mail', id: message.id },
      ] as const
      for (const mark of marks) expect(await givenUps.runAgain(environmentId, mark, given.now())).toBe(true)
      expect((await deliveries.find(environmentId, message.id))?.record).toMatchObject({
        status: 'queued',
        statusReason: null,
      })
      await giveUp()
      for (const mark of marks) expect(await givenUps.drop(environmentId, mark)).toBe(true)
      for (const mark of marks) expect(await givenUps.drop(environmentId, mark)).toBe(false)
      expect(await givenUps.list(environmentId, 10)).toEqual([])
      expect((await deliveries.find(environmentId, message.id))?.record).toMatchObject({ status: 'failed' })
    })

    test('a mail counts its claims until one records a change, and a fault of ours does not change it', async () => {
      const environmentId = given.environmentId()
      const campaignId = await givenCampaign(given, environmentId)
      const { id: messageId } = await givenMail(given, { environmentId, campaignId })
      const claim = async () => (await claimMails(given)).find((mail) => mail.messageId === messageId)
      await claim()
      given.advance(LEASE_MS)
      const second = await claim()
      expect(second?.claims).toBe(2)
      const at = given.now()
      await changeMail(given, { messageId, fence: second?.fence ?? 0 }, environmentId, {
        does: 'release',
        at,
        error: 'x',
      })
      const third = await claim()
      expect(third?.claims).toBe(3)
      await changeMail(given, { messageId, fence: third?.fence ?? 0 }, environmentId, { does: 'release', at })
      const fourth = await claim()
      expect(fourth?.claims).toBe(1)
      await endMails(given, fourth === undefined ? [] : [fourth])
    })

    test.each(['retention', 'an erasure'])('%s removes a run that was given up, with its wait', async (by) => {
      const { environmentId, wait } = await givenGivenUp()
      const { users, givenUps, events } = given.stores
      given.advance(1)
      if (by === 'retention') await purgeAll(given, environmentId, given.now())
      else await users.erase(environmentId, 'u1', given.now())
      expect(await events.findRun(environmentId, wait.runId)).toBeUndefined()
      expect(await givenUps.list(environmentId, 10)).toEqual([])
      expect(await givenUps.runAgain(environmentId, ofRun(environmentId, wait.runId), given.now())).toBe(false)
    })
  })
}

async function givenJobs(given: Given, environmentId: number, count: number): Promise<number[]> {
  const ids = Array.from({ length: count }, () => given.id())
  const times = { runAt: given.now(), createdAt: given.now() }
  const jobs = ids.map((id) => ({ id, environmentId, kind: 'k', payload: '{}', ...times }))
  await write(given, { ...trackPlan(given, { environmentId }), jobs })
  return ids
}

/** Ends all waits and jobs, so that no later test of the store meets them. */
async function endAll(given: Given): Promise<void> {
  given.advance(LEASE_MS)
  const { waits, jobs } = given.stores
  for (let some = await waits.claim(given.now(), LEASE_MS, 500); some.length > 0; ) {
    for (const one of some) await write(given, continuation(given, one.environmentId, one, null))
    some = await waits.claim(given.now(), LEASE_MS, 500)
  }
  for (let some = await jobs.claim(given.now(), LEASE_MS, 10, ['k']); some.length > 0; ) {
    for (const job of some) await jobs.complete(job)
    some = await jobs.claim(given.now(), LEASE_MS, 10, ['k'])
  }
}
