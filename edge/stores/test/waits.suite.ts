// Tests of both engines: each wait of a run is claimed by one worker and continued only under its fence. Paused
// campaigns park waits.

import { describe, expect, test } from 'vitest'
import { parseDefinition } from '../../campaign/definition.ts'
import type { CampaignStatus } from '../../domain/campaign.ts'
import type { ClaimedWait } from '../../domain/run/run-wait.ts'
import { DRAFT } from '../../test/support/draft-environment.ts'
import { type Given, givenStore, HOUR, type OpenStores, trackPlan, write } from './given.ts'
import { begin, claimOf, continuation, waitOf } from './given-waits.ts'

const LEASE_MS = 60_000

export function waitsSuite(open: OpenStores): void {
  describe('waits', () => {
    const given = givenStore(open)
    const claim = (limit = 500) => given.stores.waits.claim(given.now(), LEASE_MS, limit)

    /** Claims as often as anything is due: of waits that were claimed before, each claim takes one. */
    const claimAll = async () => {
      const all: ClaimedWait[] = []
      for (let some = await claim(); some.length > 0; some = await claim()) all.push(...some)
      return all
    }

    test('two workers share the due waits: each is claimed once, at most 500 in a claim, in the order of their time', async () => {
      const environmentId = given.environmentId()
      const waits = Array.from({ length: 1200 }, (_, n) => waitOf(given, { dueAt: given.now() - (n % 7) * 1000 }))
      await begin(given, environmentId, waits)
      const rounds = [await Promise.all([claim(), claim()]), await Promise.all([claim(), claim()])]
      const claims = rounds.flat()
      expect(claims.map((one) => one.length).sort((a, b) => a - b)).toEqual([0, 200, 500, 500])
      const ids = claims.flat().map((one) => one.runId)
      expect(new Set(ids).size).toBe(1200)
      for (const one of claims) expect(one.map(orderOf)).toEqual(one.map(orderOf).sort(byNumbers))
      // The waits of the second worker are due after those of the first.
      const [first = [], second = []] = rounds[0]?.toSorted((a, b) => (a[0]?.dueAt ?? 0) - (b[0]?.dueAt ?? 0)) ?? []
      expect(Math.max(...first.map((one) => one.dueAt))).toBeLessThanOrEqual(
        Math.min(...second.map((one) => one.dueAt)),
      )
      await end(given, environmentId, claims.flat())
      expect(await given.stores.waits.nextDueInMs(given.now())).toBeNull()
    })

    /** Creates a wait that was claimed again (`current`) after the lease of its first claim (`expired`). */
    const givenReclaimed = async () => {
      const environmentId = given.environmentId()
      const wait = waitOf(given)
      await begin(given, environmentId, [wait])
      const [expired] = await claim()
      given.advance(LEASE_MS)
      const [current] = await claim()
      return { environmentId, wait, expired, current }
    }

    test('a claim whose lease ended writes nothing, and of two continuations under one fence one is written', async () => {
      const { environmentId, wait, expired, current } = await givenReclaimed()
      expect(current).toMatchObject({ runId: wait.runId, attempts: 2, number: 1, dueAt: wait.dueAt, wasParked: false })
      expect(current?.fence).toBeGreaterThan(expired?.fence ?? 0)
      const userId = `reader-${wait.runId}`
      const withMessage = (from: ClaimedWait | undefined) => ({
        ...continuation(given, environmentId, from, null),
        messages: trackPlan(given, { environmentId, userIds: [userId] }).messages,
      })
      expect(await given.stores.commit.track(withMessage(expired))).toEqual({ result: 'not-waiting' })
      const both = await Promise.all(
        [withMessage(current), withMessage(current)].map((plan) => given.stores.commit.track(plan)),
      )
      expect(both.map((outcome) => outcome.result)).toEqual(['written', 'not-waiting'])
      const user = await given.stores.users.find(environmentId, userId)
      expect(await given.stores.inboxes.head({ environmentId, userNo: user?.userNo ?? 0 })).toMatchObject({
        seq: 1,
        unread: 1,
      })
    })

    test.each([
      ['ends the run', 'continues it', true],
      ['continues the run', 'ends it', false],
    ])(
      'in one batch, an expired claim %s and the current one %s: only the current one is written',
      async (_, __, expiredEnds) => {
        const { environmentId, wait, expired, current } = await givenReclaimed()
        const next = { ...wait, number: 2, dueAt: given.now() }
        const plans = [
          continuation(given, environmentId, expired, expiredEnds ? null : next),
          continuation(given, environmentId, current, expiredEnds ? next : null),
        ]
        const outcomes = await Promise.all(plans.map((plan) => given.stores.commit.track(plan)))
        expect(outcomes.map((outcome) => outcome.result)).toEqual(['not-waiting', 'written'])
        const left = await claim()
        expect(left.map(({ runId, number }) => [runId, number])).toEqual(expiredEnds ? [[wait.runId, 2]] : [])
        await end(given, environmentId, left)
      },
    )

    test('a renewed claim remains valid, and does not renew the next wait of its run', async () => {
      const environmentId = given.environmentId()
      const wait = waitOf(given)
      await begin(given, environmentId, [wait])
      const { waits, leases } = given.stores
      const [current] = await claim()
      expect(current?.claimedAt).toBe(given.now())
      given.advance(LEASE_MS - 1)
      await leases.renewWaits([claimOf(current)], given.now(), LEASE_MS)
      given.advance(LEASE_MS - 1)
      expect(await claim()).toEqual([])
      const next = { ...wait, number: 2, stepId: 'second', dueAt: given.now() + HOUR }
      await write(given, continuation(given, environmentId, current, next))
      await leases.renewWaits([claimOf(current)], given.now(), LEASE_MS)
      expect(await waits.nextDueInMs(given.now())).toBe(HOUR)
      given.advance(HOUR)
      await end(given, environmentId, await claim())
    })

    test('a run that continues to its next wait keeps one row with new values', async () => {
      const environmentId = given.environmentId()
      const wait = waitOf(given)
      await begin(given, environmentId, [wait])
      const [claimed] = await claim()
      const dueAt = given.now() + HOUR
      const runState = '{"branches":["big"],"value":7}'
      const next = { ...wait, number: 2, stepId: 'second', dueAt, awaits: 'order.placed', runState }
      await write(given, continuation(given, environmentId, claimed, next))
      expect(await claim()).toEqual([])
      expect(await given.stores.waits.nextDueInMs(given.now())).toBe(HOUR)
      // The claim of the former wait has ended.
      await given.stores.waits.release([claimOf(claimed)], given.now(), 'expired')
      expect(await claim()).toEqual([])
      given.advance(HOUR)
      const [again] = await claim()
      const kept = { number: 2, stepId: 'second', dueAt, awaits: 'order.placed', attempts: 1 }
      expect(again).toMatchObject({ ...kept, runState: { branches: ['big'], value: 7 } })
      await end(given, environmentId, again === undefined ? [] : [again])
    })

    test('a released wait is due at its time; only a release with an error counts as an attempt', async () => {
      const environmentId = given.environmentId()
      await begin(given, environmentId, [waitOf(given)])
      const [first] = await claim()
      await given.stores.waits.release([claimOf(first)], given.now() + 1000, null)
      expect(await claim()).toEqual([])
      given.advance(1000)
      const [second] = await claim()
      expect(second?.attempts).toBe(1)
      await given.stores.waits.release([claimOf(second)], given.now() + 1000, 'broken')
      // A claim that has ended releases nothing.
      await given.stores.waits.release([claimOf(first), claimOf(second)], given.now(), null)
      expect(await claim()).toEqual([])
      given.advance(1000)
      const [third] = await claim()
      expect(third?.attempts).toBe(2)
      await end(given, environmentId, third === undefined ? [] : [third])
    })

    test('waits are parked while the campaign is paused and made due in chunks when it is resumed, except claimed ones', async () => {
      const environmentId = given.environmentId()
      const campaign = await givenCampaign(given, environmentId)
      const waits = Array.from({ length: 6 }, () => waitOf(given, { campaignId: campaign.id }))
      await begin(given, environmentId, waits)
      await campaign.become('paused')
      const claimed = await claim(5)
      await given.stores.waits.park(claimed.slice(0, 4).map(claimOf), given.now())
      const makeDue = (which: 'parked' | 'all', after: number, limit: number) =>
        given.stores.waits.makeDue(campaign.id, which, after, limit, given.now())
      given.advance(1000)
      expect((await claim()).map((one) => one.runId)).toEqual([waits[5]?.runId])
      await campaign.become('active')
      let after: number | null = 0
      const chunks: (number | null)[] = []
      while (after !== null) {
        after = await makeDue('parked', after, 3)
        chunks.push(after)
      }
      expect(chunks).toEqual([waits[2]?.runId, waits[5]?.runId, null])
      const due = await claim()
      expect(due.map(({ runId, attempts, wasParked }) => [runId, attempts, wasParked])).toEqual(
        waits.slice(0, 4).map(({ runId }) => [runId, 1, true]),
      )
      // The campaign is not paused any more: no wait is parked.
      await given.stores.waits.park(due.slice(0, 1).map(claimOf), given.now())
      expect((await claim()).map((one) => one.runId)).toEqual([waits[0]?.runId])
      given.advance(LEASE_MS)
      await end(given, environmentId, await claimAll())
    })

    test('the campaign of a run has the end of its last pause', async () => {
      const environmentId = given.environmentId()
      await given.stores.environments.create({ ...DRAFT, id: environmentId, createdAt: given.now() }, [])
      const campaign = await givenCampaign(given, environmentId)
      const resumedAt = async () =>
        (await given.stores.waits.findContexts([{ campaignId: campaign.id, environmentId }])).get(campaign.id)?.campaign
          .resumedAt
      expect(await resumedAt()).toBeNull()
      await campaign.become('active', given.now())
      expect(await resumedAt()).toBe(given.now())
      expect(await given.stores.campaigns.find(environmentId, campaign.id)).toMatchObject({ resumedAt: given.now() })
    })

    test('all waits of an archived campaign become due, and no others', async () => {
      const environmentId = given.environmentId()
      const [archived, other] = [given.id(), given.id()]
      const later = { dueAt: given.now() + 365 * 24 * HOUR }
      const waits = [archived, archived, other].map((campaignId) => waitOf(given, { ...later, campaignId }))
      await begin(given, environmentId, waits)
      expect(await given.stores.waits.makeDue(archived, 'all', 0, 500, given.now())).toBeNull()
      const due = await claim()
      expect(due.map(({ runId, dueAt }) => [runId, dueAt])).toEqual(
        waits.slice(0, 2).map(({ runId }) => [runId, later.dueAt]),
      )
      await end(given, environmentId, due)
    })

    test('waits of a user are listed by environment and campaign, in pages', async () => {
      const [here, there] = [given.environmentId(), given.environmentId()]
      const later = { dueAt: given.now() + HOUR, campaignId: given.id() }
      const waits = Array.from({ length: 5 }, () => waitOf(given, later))
      await begin(given, here, [
        ...waits,
        waitOf(given, { ...later, userId: 'u2' }),
        waitOf(given, { dueAt: later.dueAt }),
      ])
      await begin(given, there, [waitOf(given, later)])
      const list = async (environmentId: number, userId: string, after = 0, limit = 500) =>
        (await given.stores.waits.listOfUser(environmentId, later.campaignId, userId, after, limit)).map(
          (one) => one.runId,
        )
      const ids = waits.map((one) => one.runId)
      expect(await list(here, 'u1')).toEqual(ids)
      expect(await list(here, 'u1', ids[1], 2)).toEqual(ids.slice(2, 4))
      expect(await list(there, 'u1')).toHaveLength(1)
      expect(await list(there, 'u2')).toEqual([])
    })

    test('a page of the waits of a user ends where their events weigh a megabyte', async () => {
      const environmentId = given.environmentId()
      const later = { dueAt: given.now() + HOUR, campaignId: given.id() }
      const waits = Array.from({ length: 12 }, () => waitOf(given, later))
      await begin(given, environmentId, waits, { text: 'x'.repeat(250_000) })
      const pages: number[][] = []
      for (let after = 0; ; after = pages.at(-1)?.at(-1) ?? 0) {
        const page = await given.stores.waits.listOfUser(environmentId, later.campaignId, 'u1', after, 100)
        if (page.length === 0) break
        pages.push(page.map(({ runId }) => runId))
      }
      expect(pages.map((page) => page.length)).toEqual([5, 5, 2])
      expect(pages.flat()).toEqual(waits.map(({ runId }) => runId))
    })

    test('waits of an erased user are removed at once, and a claim of one writes nothing', async () => {
      const environmentId = given.environmentId()
      const wait = waitOf(given, { userId: 'gone' })
      await begin(given, environmentId, [wait, waitOf(given, { userId: 'stays' })])
      const claimed = await claim()
      await given.stores.users.erase(environmentId, 'gone', given.now())
      const outcomes = await Promise.all(
        claimed.map((one) => given.stores.commit.track(continuation(given, environmentId, one, null))),
      )
      expect(outcomes.map((outcome) => outcome.result)).toEqual(['not-waiting', 'written'])
      given.advance(LEASE_MS)
      expect(await claim()).toEqual([])
    })
  })
}

async function end(given: Given, environmentId: number, waits: ClaimedWait[]): Promise<void> {
  await Promise.all(waits.map((one) => write(given, continuation(given, environmentId, one, null))))
}

async function givenCampaign(given: Given, environmentId: number) {
  const id = given.id()
  const draft = parseDefinition({ key: `c-${id}`, trigger: { event: 'e' }, steps: [{ id: 'a', type: 'exit' }] })
  const names = { id, environmentId, key: draft.key, name: 'C', category: null, draft, drains: false, resumedAt: null }
  const times = { createdAt: given.now(), updatedAt: given.now() }
  let revision = 0
  await given.stores.campaigns.insertOnce({ ...names, ...times, status: 'active', currentVersion: 1 })
  return {
    id,
    async become(next: CampaignStatus, resumedAt: number | null = null): Promise<void> {
      const changed = { ...names, ...times, resumedAt, status: next, currentVersion: 1, revision: revision++ }
      await given.stores.campaigns.save(changed, null)
    },
  }
}

const orderOf = ({ dueAt, runId }: ClaimedWait): [number, number] => [dueAt, runId]
const byNumbers = (a: [number, number], b: [number, number]) => a[0] - b[0] || a[1] - b[1]
