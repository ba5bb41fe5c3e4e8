// Tests of both engines: retention removes details in bounded steps, inboxes shrink by changes, and every counter
// stays exact.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countsOf } from '../../domain/message.ts'
import type { InboxPush } from '../../domain/plan.ts'
import type { User } from '../../domain/user.ts'
import {
  act,
  counts,
  firstMessage,
  type Given,
  givenStore,
  HOUR,
  type OpenStores,
  page,
  report,
  trackPlan,
  userWithMessages,
  write,
} from './given.ts'
import { createState, perform, type RandomState, step } from './random.suite.ts'

const MAX_ROWS_OF_A_STEP = 500

export function retentionSuite(open: OpenStores): void {
  describe('retention', () => {
    const given = givenStore(open)

    test('old data of the environment are removed step by step; newer data and other environments stay', async () => {
      const environmentId = given.environmentId()
      const campaignId = await givenCampaign(given, environmentId)
      const { user, messageIds } = await userWithMessages(given, 700, { campaignId, environmentId })
      const foreign = await userWithMessages(given, 3, { campaignId })
      const unmatched = trackPlan(given, { environmentId })
      await write(given, unmatched)
      await report(given, user, messageIds[0] ?? 0, ['clicked'])
      await report(given, user, messageIds[1] ?? 0, [{ type: 'read', automated: true }])
      given.advance(HOUR)
      const young = trackPlan(given, { environmentId, userIds: ['u1'], campaignId })
      await write(given, young)
      const funnel = await funnelOf(given, environmentId, campaignId)
      expect(funnel).toMatchObject([{ delivery: 701, read: 1, opened: 1, clicked: 1 }])

      const { steps, pushes } = await purgeAll(given, environmentId, given.now())
      expect(steps.length).toBeGreaterThan(3)
      expect(Math.max(...steps)).toBeLessThanOrEqual(MAX_ROWS_OF_A_STEP)
      expect((await page(given, user)).messages.map(({ id }) => id)).toEqual([firstMessage(young).id])
      expect(await counts(given, user)).toMatchObject({ unread: 1, unopened: 1 })
      expect((await page(given, foreign.user)).messages).toHaveLength(3)
      expect(pushes.flatMap((push) => push.changes.map(({ op }) => op))).toEqual(Array(700).fill('remove'))
      expect(pushes.at(-1)).toMatchObject(await counts(given, user))

      const events = (await given.stores.events.list(environmentId, {}, null, 100)).events
      expect(events.map(({ id }) => id)).toEqual([young.event?.id])
      expect(await given.stores.events.findRun(environmentId, young.runs[0]?.id ?? 0)).toBeDefined()
      expect(await funnelOf(given, environmentId, campaignId)).toEqual(funnel)
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
      expect(await funnelOf(given, environmentId, campaignId)).toEqual(funnel)
      expect(await given.stores.retention.purgeStep(environmentId, given.now())).toEqual({ rows: 0, pushes: [] })
    })

    test('a late delivery event on a purged message changes nothing, from its user or a trusted caller', async () => {
      const campaignId = given.id()
      const { user, environmentId, messageIds } = await userWithMessages(given, 1, { campaignId })
      const funnel = await funnelOf(given, environmentId, campaignId)
      await purgeAll(given, environmentId, given.now() + 1)
      const before = await counts(given, user)
      for (const over of [{}, { userNo: null }]) {
        const outcome = await report(given, user, messageIds[0] ?? 0, ['clicked'], over)
        expect(outcome).toEqual({ results: ['missing'], pushes: [] })
      }
      expect((await act(given, user, messageIds, [{ action: 'archive' }])).found).toEqual([false])
      expect(await counts(given, user)).toEqual(before)
      expect(await funnelOf(given, environmentId, campaignId)).toEqual(funnel)
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    })

    test('a client at the latest position gets only removes, an older one is reset', async () => {
      const { user, environmentId, messageIds } = await userWithMessages(given, 3)
      await act(given, user, messageIds.slice(0, 1), [{ action: 'archive' }])
      const { epoch, seq } = await given.stores.inboxes.head(user)
      await purgeAll(given, environmentId, given.now() + 1)
      const since = (from: number) => given.stores.inboxes.changes(user, from, epoch)
      const { changes, reset, head } = await since(seq)
      expect(reset).toBe(false)
      expect(changes).toEqual(messageIds.map((messageId, index) => ({ seq: seq + 1 + index, op: 'remove', messageId })))
      expect(head).toMatchObject({ unread: 0, unopened: 0, seq: seq + 3 })
      expect((await since(seq - 2)).reset).toBe(true)
    })

    test('an event whose run still waits is kept until it has ended', async () => {
      const environmentId = given.environmentId()
      const plan = trackPlan(given, { environmentId, userIds: ['u1'] })
      const waiting = { ...plan, messages: [], runs: plan.runs.map((run) => ({ ...run, state: 'waiting' as const })) }
      await write(given, waiting)
      expect((await purgeAll(given, environmentId, given.now() + 1)).steps).toEqual([])
      expect((await given.stores.events.list(environmentId, {}, null, 100)).events).toHaveLength(1)
    })

    test('after random steps and purges, counters, heads and pushes agree with the rows', async () => {
      const round = fc.record({ steps: fc.array(step, { maxLength: 10 }), ageMs: fc.nat(3), purgesMs: fc.nat(6) })
      await fc.assert(
        fc.asyncProperty(fc.array(round, { maxLength: 8 }), async (rounds) => {
          const state = await createState(given)
          for (const { steps, ageMs, purgesMs } of rounds) {
            // A step of retention between them usually shares a batch with the plans.
            const purging = given.stores.retention.purgeStep(state.environmentId, given.now() - purgesMs)
            await Promise.all(steps.map((one) => perform(given, state, one)))
            state.pushes.push(...(await purging).pushes)
            const funnel = await funnelOf(given, state.environmentId, state.campaignId)
            state.pushes.push(...(await purgeAll(given, state.environmentId, given.now() - purgesMs)).pushes)
            expect(await funnelOf(given, state.environmentId, state.campaignId)).toEqual(funnel)
            given.advance(ageMs)
          }
          for (const one of state.users) await checkInbox(given, one, state)
          expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
          const delivery = (await funnelOf(given, state.environmentId, state.campaignId)).reduce(
            (sum, slice) => sum + slice.delivery,
            0,
          )
          expect(delivery).toBe(state.delivered)
        }),
        { numRuns: 40 },
      )
    }, 120_000)
  })
}

/** Creates a campaign, because a run is read with the key of its campaign. */
async function givenCampaign(given: Given, environmentId: number): Promise<number> {
  const id = given.id()
  const draft = {
    key: 'order-shipped',
    name: 'Order shipped',
    category: null,
    notificationConfigId: null,
    maxLateness: 'PT24H',
    trigger: { event: 'order.shipped' },
    steps: [],
  }
  const { key, name, category } = draft
  const now = given.now()
  const row = { id, environmentId, key, name, category, draft, createdAt: now, updatedAt: now }
  await given.stores.campaigns.insertOnce({
    ...row,
    status: 'active',
    currentVersion: 1,
    drains: false,
    resumedAt: null,
  })
  return id
}

const funnelOf = (given: Given, environmentId: number, campaignId: number) =>
  given.stores.funnels.slices(environmentId, campaignId, 'inbox', null)

export async function purgeAll(given: Given, environmentId: number, before: number) {
  const steps: number[] = []
  const pushes: InboxPush[] = []
  for (;;) {
    const done = await given.stores.retention.purgeStep(environmentId, before)
    if (done.rows === 0) return { steps, pushes }
    steps.push(done.rows)
    pushes.push(...done.pushes)
  }
}

/** Checks that the head equals the counts of the rows, and that the pushes reach it without a gap. */
async function checkInbox(given: Given, owner: User, state: RandomState): Promise<void> {
  const pages = await Promise.all((['all', 'archived', 'snoozed'] as const).map((filter) => page(given, owner, filter)))
  const sum = { unread: 0, unopened: 0 }
  for (const row of pages.flatMap((one) => one.messages)) {
    sum.unread += countsOf(row).unread
    sum.unopened += countsOf(row).unopened
  }
  const head = await given.stores.inboxes.head(owner)
  expect({ unread: head.unread, unopened: head.unopened }).toEqual(sum)
  let seq = 0
  for (const push of state.pushes.filter((one) => one.userNo === owner.userNo).sort((a, b) => a.from - b.from)) {
    expect(push.from).toBe(seq)
    seq = push.seq
  }
  expect(seq).toBe(head.seq)
}
