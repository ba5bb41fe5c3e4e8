// Tests of both engines: the delivery history against a filter over all records, its steps, and the details of a
// message.

import { beforeAll, describe, expect, test } from 'vitest'
import type { StoredDefinition } from '../../domain/campaign.ts'
import { type DeliveryFilter, type DeliveryRecord, engagementOf } from '../../domain/delivery/delivery-record.ts'
import type { NewMessage } from '../../domain/plan.ts'
import { createIdSource } from '../../lib/id.ts'
import { firstMessage, type Given, givenStore, HOUR, type OpenStores, report, trackPlan, write } from './given.ts'

const MESSAGES = 120

export function historySuite(open: OpenStores): void {
  describe('the delivery history', () => {
    const given = givenStore(open)
    // Ids from the clock, as the service creates them.
    const ids = createIdSource({ now: () => given.now() })

    /** Sends a message of a new event, some minutes after the previous one. */
    async function send(environmentId: number, userId: string, over: Partial<NewMessage> = {}): Promise<NewMessage> {
      given.advance(600_000)
      const { campaignId = 1, branch = null, isTest = false } = over
      const message = { id: ids.next(), createdAt: given.now(), ...over }
      const plan = trackPlan(given, { environmentId, userIds: [userId], campaignId, branch, isTest, message })
      await write(given, plan)
      return firstMessage(plan)
    }

    async function all(environmentId: number, filter: DeliveryFilter, limit = 1000): Promise<DeliveryRecord[]> {
      const found: DeliveryRecord[] = []
      let before: number | null = null
      do {
        const step = await given.stores.deliveries.step(environmentId, filter, before, limit)
        expect(step.records.length).toBeLessThanOrEqual(limit)
        found.push(...step.records)
        before = step.next
      } while (before !== null)
      return found
    }

    describe('over many records', () => {
      let here: number
      let records: DeliveryRecord[]
      beforeAll(async () => {
        here = given.environmentId()
        const elsewhere = given.environmentId()
        const campaigns = [await campaignOf(given, here), await campaignOf(given, here)]
        const foreign = await campaignOf(given, elsewhere)
        for (let n = 0; n < MESSAGES; n++) {
          const userId = `u${n % 7}`
          const failed: Partial<NewMessage> = n % 11 === 0 ? { status: 'failed', statusReason: 'render-error' } : {}
          const skipped: Partial<NewMessage> = n % 13 === 0 ? { status: 'skipped', statusReason: 'throttled' } : {}
          const branch = ['a', 'b', null][n % 3] ?? null
          const correlationId = `shared-${n % 9}`
          const message = await send(here, userId, {
            campaignId: campaigns[n % 2],
            branch,
            correlationId,
            ...failed,
            ...skipped,
          })
          const user = await given.stores.users.find(here, userId)
          const deepest = (['read', 'opened', 'clicked'] as const)[n % 5]
          if (deepest !== undefined && user !== undefined) await report(given, user, message.id, [deepest])
          if (n % 4 === 0) await send(elsewhere, userId, { campaignId: foreign, branch, correlationId })
        }
        records = await all(here, {})
      }, 60_000)

      test('all messages of an environment are listed newest first, and no others', () => {
        expect(records).toHaveLength(MESSAGES)
        expect(records.map(({ id }) => id)).toEqual(records.map(({ id }) => id).sort((a, b) => b - a))
      })

      test('each filter, and any two, find the same as a filter over all records, for any size of a step', async () => {
        const sample = records[40] as DeliveryRecord
        const singles = singleFilters(sample)
        for (const one of singles) {
          for (const other of singles) {
            const filter = { ...one, ...other }
            const expected = records.filter((record) => matches(record, filter)).map(({ id }) => id)
            const limit = 1 + (Object.keys(filter).length % 3) * 7
            expect(
              (await all(here, filter, limit)).map(({ id }) => id),
              JSON.stringify(filter),
            ).toEqual(expected)
          }
        }
      })

      test('all filters together find the one record', async () => {
        const sample = records.find(({ clickedAt, branch }) => clickedAt !== null && branch !== null) as DeliveryRecord
        expect(await all(here, Object.assign({}, ...singleFilters(sample)))).toEqual([])
        const { status, branch, channel, createdAt: to } = sample
        const own = { status, statusReason: undefined, branch, channel, to, engagement: 'clicked' } as const
        expect(await all(here, Object.assign({}, ...singleFilters(sample), own))).toEqual([sample])
      })

      test("another environment's ids find nothing, like unknown ones", async () => {
        const empty = given.environmentId()
        const sample = records[0] as DeliveryRecord
        const { id, eventId, correlationId, userId, campaignId } = sample
        for (const filter of [{ messageId: id }, { eventId }, { correlationId }, { userId }, { campaignId }]) {
          expect(await all(empty, filter)).toEqual([])
        }
        expect(await given.stores.deliveries.find(empty, id)).toBeUndefined()
        for (const filter of [
          { messageId: 5 },
          { eventId: 5 },
          { correlationId: 'x' },
          { userId: 'x' },
          { branch: 'x' },
        ]) {
          expect(await all(here, filter)).toEqual([])
        }
      })

      test('messages of an erased user are missing at once', async () => {
        await given.stores.users.erase(here, 'u3', given.now())
        expect(await all(here, { userId: 'u3' })).toEqual([])
        expect((await all(here, {})).map(({ id }) => id)).toEqual(
          records.filter(({ userId }) => userId !== 'u3').map(({ id }) => id),
        )
      })
    })

    test('a message has its snapshot, its event and an ordered timeline, with implied and automated events', async () => {
      const environmentId = given.environmentId()
      const message = await send(environmentId, 'u1', { campaignId: await campaignOf(given, environmentId) })
      const user = await given.stores.users.upsert(environmentId, 'u1', {}, given.now())
      given.advance(1000)
      const machine = { type: 'clicked', automated: true } as const
      await report(given, user, message.id, [machine], { userNo: null })
      expect(await given.stores.deliveries.find(environmentId, message.id)).toMatchObject({
        record: { clickedAt: null, readAt: null },
        timeline: [{ eventType: 'send' }, { eventType: 'clicked', automated: true }],
      })
      given.advance(1000)
      await report(given, user, message.id, ['opened'])
      const detail = await given.stores.deliveries.find(environmentId, message.id)
      expect(detail?.snapshot).toEqual(JSON.parse(message.snapshot))
      expect(detail?.event).toMatchObject({ name: 'order.shipped', userId: 'u1', properties: { orderId: '1' } })
      expect(detail?.timeline).toEqual([
        { eventType: 'send', at: message.createdAt, implied: false, automated: false, source: 'service' },
        { eventType: 'clicked', at: message.createdAt + 1000, implied: false, automated: true, source: 'widget' },
        { eventType: 'read', at: given.now(), implied: true, automated: false, source: 'widget' },
        { eventType: 'opened', at: given.now(), implied: false, automated: false, source: 'widget' },
      ])
    })

    test('a message that was removed from the inbox remains in the history', async () => {
      const environmentId = given.environmentId()
      const message = await send(environmentId, 'u1', { campaignId: await campaignOf(given, environmentId) })
      const { userNo } = await given.stores.users.upsert(environmentId, 'u1', {}, given.now())
      const items = [{ messageId: message.id, actions: [{ action: 'remove' as const }] }]
      const now = given.now()
      await given.stores.commit.change({ kind: 'change', environmentId, userNo, now, items, readAllUpTo: null })
      expect(await all(environmentId, {})).toMatchObject([{ id: message.id, status: 'delivered' }])
    })
  })
}

async function campaignOf(given: Given, environmentId: number): Promise<number> {
  const id = given.id()
  const key = `c${id}`
  const draft: StoredDefinition = {
    key,
    name: key,
    category: null,
    notificationConfigId: null,
    maxLateness: 'PT24H',
    trigger: { event: 'order.shipped' },
    steps: [{ id: 'notify', type: 'inbox', title: 'Hi' }],
  }
  const times = { createdAt: 1, updatedAt: 1 }
  const state = { status: 'draft', currentVersion: null, drains: false, resumedAt: null, draft } as const
  await given.stores.campaigns.insertOnce({ id, environmentId, key, name: key, category: null, ...state, ...times })
  return id
}

function singleFilters(sample: DeliveryRecord): DeliveryFilter[] {
  const { id: messageId, eventId, correlationId, userId, campaignId, createdAt } = sample
  return [
    { messageId },
    { eventId },
    { correlationId },
    { userId },
    { campaignId },
    { branch: 'b' },
    { branch: null },
    { channel: 'inbox' },
    { channel: 'email' },
    { status: 'delivered' },
    { status: 'failed' },
    { status: 'skipped' },
    { statusReason: 'throttled' },
    { engagement: 'none' },
    { engagement: 'read' },
    { engagement: 'opened' },
    { engagement: 'clicked' },
    { from: createdAt },
    { from: createdAt - 2 * HOUR, to: createdAt },
    { to: createdAt - 1 },
  ]
}

/** Implements the filters independently of the store. */
function matches(record: DeliveryRecord, filter: DeliveryFilter): boolean {
  const { messageId, engagement, from = 0, to = Number.MAX_SAFE_INTEGER, ...same } = filter
  return (
    (messageId === undefined || record.id === messageId) &&
    (engagement === undefined || engagementOf(record) === engagement) &&
    record.createdAt >= from &&
    record.createdAt <= to &&
    Object.entries(same).every(([field, value]) => record[field as keyof typeof same] === value)
  )
}
