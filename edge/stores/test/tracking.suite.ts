// Tests of both engines: tracked events, idempotency and revoked keys.

import { describe, expect, test } from 'vitest'
import { createIdSource } from '../../lib/id.ts'
import { firstMessage, givenStore, HOUR, type OpenStores, trackPlan, write } from './given.ts'

export function trackingSuite(open: OpenStores): void {
  describe('tracking', () => {
    const given = givenStore(open)

    test('an event is found with its runs and messages, only in its environment', async () => {
      const environmentId = given.environmentId()
      const campaign = await createCampaign(environmentId)
      const plan = trackPlan(given, { environmentId, userIds: ['a', 'b', 'c'], campaignId: campaign.id, branch: 'big' })
      await write(given, plan)
      const { events } = given.stores
      const eventId = plan.event?.id ?? 0
      expect(await events.find(environmentId, eventId)).toMatchObject({
        name: 'order.shipped',
        userIds: ['a', 'b', 'c'],
        considered: [],
      })
      expect(await events.find(environmentId + 1, eventId)).toBeUndefined()
      const other = trackPlan(given, { environmentId, userIds: ['d', 'e'], campaignId: campaign.id })
      await write(given, other)
      const otherId = other.event?.id ?? 0
      const summaries = await events.summarize(environmentId, [eventId, 5, otherId], 2)
      const usersOf = (id: number) => summaries.get(id)?.runs.map((run) => run.userId)
      expect([usersOf(eventId), usersOf(5), usersOf(otherId)]).toEqual([['a', 'b'], [], ['d', 'e']])
      expect(summaries.get(otherId)?.messageIds).toEqual(other.messages.map((message) => message.id))
      expect((await events.summarize(environmentId + 1, [eventId], 2)).get(eventId)).toEqual({
        runs: [],
        messageIds: [],
      })
      const summary = summaries.get(eventId)
      expect(summary?.messageIds).toEqual(plan.messages.slice(0, 2).map((message) => message.id))
      const newest = await events.listRuns(eventId, null, 2)
      expect(newest).toMatchObject([{ userId: 'c', campaignKey: campaign.key, branch: 'big' }, { userId: 'b' }])
      expect(await events.listRuns(eventId, newest[1]?.id ?? 0, 10)).toMatchObject([{ userId: 'a' }])
      const runId = plan.runs[0]?.id ?? 0
      expect(await events.findRun(environmentId, runId)).toMatchObject({
        eventId,
        userId: 'a',
        steps: [],
        messageIds: [plan.messages[0]?.id],
      })
      expect(await events.findRun(environmentId + 1, runId)).toBeUndefined()
    })

    test('events are listed newest first, by name, user and time', async () => {
      const environmentId = given.environmentId()
      const plans = ['a', 'b', 'a'].map((userId) => trackPlan(given, { environmentId, userIds: [userId] }))
      for (const plan of plans) {
        const id = given.now() * 10 + given.id() // an id of about now, as the id source creates it
        if (plan.event !== null) Object.assign(plan.event, { id, receivedAt: given.now() })
        await write(given, plan)
        given.advance(1000)
      }
      const ids = plans.map((plan) => plan.event?.id)
      const list = async (filter: object, before: number | null = null) =>
        (await given.stores.events.list(environmentId, filter, before, 10)).events.map((event) => event.id)
      expect(await list({})).toEqual([ids[2], ids[1], ids[0]])
      expect(await list({}, ids[2])).toEqual([ids[1], ids[0]])
      expect(await list({ userId: 'a' })).toEqual([ids[2], ids[0]])
      expect(await list({ name: 'other' })).toEqual([])
      expect(await list({ to: plans[1]?.event?.receivedAt })).toEqual([ids[1], ids[0]])
    })

    test('events are found by the correlation id of their request', async () => {
      const environmentId = given.environmentId()
      const other = given.environmentId()
      const ids: number[] = []
      for (const [index, userIds] of [['a'], ['a', 'b'], ['b'], ['a']].entries()) {
        const plan = trackPlan(given, { environmentId: index === 3 ? other : environmentId, userIds })
        if (plan.event === null) throw new Error('There is no event.')
        Object.assign(plan.event, { correlationId: 'one-request' })
        ids.push(plan.event.id)
        await write(given, plan)
      }
      await write(given, trackPlan(given, { environmentId, userIds: ['a'] }))
      const list = async (filter: object, before: number | null = null) =>
        (await given.stores.events.list(environmentId, filter, before, 2)).events.map((event) => event.id)
      const correlationId = 'one-request'
      expect(await list({ correlationId })).toEqual([ids[2], ids[1]])
      expect(await list({ correlationId }, ids[1])).toEqual([ids[0]])
      expect(await list({ correlationId, userId: 'a' })).toEqual([ids[1], ids[0]])
      expect(await list({ correlationId, userId: 'c' })).toEqual([])
      expect(await list({ correlationId, name: 'other' })).toEqual([])
      expect(await list({ correlationId: 'another' })).toEqual([])
    })

    test('a page of events ends where they weigh a megabyte, for one user too', async () => {
      const environmentId = given.environmentId()
      const ids: number[] = []
      for (const userIds of [['a'], ['a'], ['a', 'b'], ['a'], ['a', 'b'], ['a'], ['a']]) {
        const plan = trackPlan(given, { environmentId, userIds })
        if (plan.event === null) throw new Error('There is no event.')
        Object.assign(plan.event, { properties: JSON.stringify({ text: 'x'.repeat(400_000) }) })
        ids.unshift(plan.event.id)
        await write(given, plan)
      }
      for (const filter of [{}, { userId: 'a' }]) {
        const pages: number[][] = []
        for (let before: number | null = null; ; ) {
          const page = await given.stores.events.list(environmentId, filter, before, 5)
          pages.push(page.events.map(({ id }) => id))
          before = page.next
          if (before === null) break
        }
        expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
        expect(pages.flat()).toEqual(ids)
      }
    })

    test('after the clock was set back a day, new events and messages are found by their time, also later', async () => {
      const environmentId = given.environmentId()
      const campaign = await createCampaign(environmentId)
      let nowMs = given.now() + 24 * HOUR
      const ids = createIdSource({ now: () => nowMs })
      const track = async () => {
        const plan = trackPlan(given, { environmentId, userIds: ['a'], campaignId: campaign.id })
        const message = Object.assign(firstMessage(plan), { id: ids.next(), createdAt: nowMs })
        if (plan.event === null) throw new Error('The plan has no event.')
        Object.assign(plan.event, { id: ids.next(), receivedAt: nowMs })
        await write(given, plan)
        return { eventId: plan.event.id, messageId: message.id, at: nowMs }
      }
      await track()
      nowMs -= 24 * HOUR
      const behind = await track()
      nowMs += 48 * HOUR
      await track()
      const around = { userId: 'a', from: behind.at - HOUR, to: behind.at + HOUR }
      const events = (await given.stores.events.list(environmentId, around, null, 10)).events
      expect(events.map((event) => event.id)).toEqual([behind.eventId])
      const { records } = await given.stores.deliveries.step(environmentId, around, null, 10)
      expect(records.map((record) => record.id)).toEqual([behind.messageId])
    })

    test('a repeat with the same body returns the first event, another body is a conflict', async () => {
      const environmentId = given.environmentId()
      const first = trackPlan(given, { environmentId, userIds: ['u1'], idempotency: { key: 'k', bodyHash: 'h' } })
      await write(given, first)
      const options = { environmentId, userIds: ['u1'] }
      const again = trackPlan(given, { ...options, idempotency: { key: 'k', bodyHash: 'h' } })
      const { id, correlationId, receivedAt } = first.event ?? {}
      expect(await given.stores.commit.track(again)).toEqual({
        result: 'duplicate',
        eventId: id,
        correlationId,
        receivedAt,
      })
      const other = trackPlan(given, { ...options, idempotency: { key: 'k', bodyHash: 'other' } })
      expect(await given.stores.commit.track(other)).toEqual({ result: 'conflict' })
      const elsewhere = trackPlan(given, {
        environmentId: given.environmentId(),
        idempotency: { key: 'k', bodyHash: 'other' },
      })
      expect(await given.stores.commit.track(elsewhere)).toMatchObject({ result: 'written' })
      const user = await given.stores.users.find(environmentId, 'u1')
      expect((await given.stores.inboxes.head({ environmentId, userNo: user?.userNo ?? 0 })).seq).toBe(1)
    })

    test('of many plans with one key in the same batch only the first is written', async () => {
      const environmentId = given.environmentId()
      const plans = Array.from({ length: 30 }, (_, index) =>
        trackPlan(given, {
          environmentId,
          userIds: ['u1'],
          idempotency: { key: 'k', bodyHash: index === 7 ? 'other' : 'h' },
        }),
      )
      const outcomes = await Promise.all(plans.map((plan) => given.stores.commit.track(plan)))
      expect(outcomes[0]).toMatchObject({ result: 'written' })
      expect(outcomes[7]).toEqual({ result: 'conflict' })
      const eventId = plans[0]?.event?.id
      for (const [index, outcome] of outcomes.entries()) {
        if (index !== 0 && index !== 7) expect(outcome).toMatchObject({ result: 'duplicate', eventId })
      }
    })

    test('an expired key is free again', async () => {
      const environmentId = given.environmentId()
      const idempotency = { key: 'k', bodyHash: 'h', expiresAt: given.now() + HOUR }
      await write(given, trackPlan(given, { environmentId, idempotency }))
      given.advance(HOUR)
      const later = trackPlan(given, { environmentId, idempotency: { key: 'k', bodyHash: 'other' } })
      expect(await given.stores.commit.track(later)).toMatchObject({ result: 'written' })
      const repeat = trackPlan(given, { environmentId, idempotency: { key: 'k', bodyHash: 'other' } })
      expect(await given.stores.commit.track(repeat)).toMatchObject({ result: 'duplicate', eventId: later.event?.id })
    })

    test('a plan whose secret is retired before its commit is refused, and its idempotency key stays free', async () => {
      const environmentId = given.environmentId()
      const secretId = await createSecret(environmentId, 'hash-a')
      const idempotency = { key: 'k', bodyHash: 'h' }
      const early = trackPlan(given, { environmentId, userIds: ['u1'], secretId, idempotency })
      await given.stores.secrets.retire(environmentId, secretId, given.now() + HOUR)
      const overlap = trackPlan(given, { environmentId, secretId })
      expect(await given.stores.commit.track(overlap)).toMatchObject({ result: 'written' })
      const retiring = given.stores.secrets.retire(environmentId, secretId, given.now())
      const revoked = given.stores.commit.track(early)
      await retiring
      expect(await revoked).toEqual({ result: 'revoked' })
      expect(await given.stores.users.find(environmentId, 'u1')).toBeUndefined()
      const next = trackPlan(given, { environmentId, idempotency })
      expect(await given.stores.commit.track(next)).toMatchObject({ result: 'written' })
      const unknown = trackPlan(given, { environmentId, secretId: given.id() })
      expect(await given.stores.commit.track(unknown)).toEqual({ result: 'revoked' })
    })

    test('a plan whose secret is settled is refused, at any time of the clock', async () => {
      const environmentId = given.environmentId()
      const secretId = await createSecret(environmentId, 'hash-settled')
      await given.stores.secrets.retire(environmentId, secretId, given.now() + HOUR)
      const during = trackPlan(given, { environmentId, userIds: ['u1'], secretId })
      expect(await given.stores.commit.track(during)).toMatchObject({ result: 'written' })
      await given.stores.rotations.settle(environmentId, secretId, given.now() + HOUR)
      const behind = trackPlan(given, { environmentId, userIds: ['u1'], secretId })
      expect(await given.stores.commit.track(behind)).toEqual({ result: 'revoked' })
    })

    test('the last use of a secret is stored', async () => {
      const environmentId = given.environmentId()
      const secretId = await createSecret(environmentId, 'hash-b')
      await write(given, trackPlan(given, { environmentId, secretId }))
      expect(await given.stores.secrets.findByHash('sdkSecretKey', 'hash-b')).toMatchObject({ lastUsedAt: given.now() })
    })

    test('an invalid plan fails alone', async () => {
      const environmentId = given.environmentId()
      const taken = trackPlan(given, { environmentId, userIds: ['u0'] })
      await write(given, taken)
      const plans = Array.from({ length: 20 }, (_, index) =>
        trackPlan(given, { environmentId, userIds: [`u${index}`] }),
      )
      const invalid = plans[13]
      if (invalid?.event != null) invalid.event.id = taken.event?.id ?? 0 // breaks the primary key
      const settled = await Promise.allSettled(plans.map((plan) => given.stores.commit.track(plan)))
      expect(settled.map((one) => one.status)).toEqual(
        plans.map((plan) => (plan === invalid ? 'rejected' : 'fulfilled')),
      )
      // The rows of the invalid plan are rolled back, also in the cache of the writer.
      expect(await given.stores.users.find(environmentId, 'u13')).toBeUndefined()
      await write(given, trackPlan(given, { environmentId, userIds: ['u13'] }))
      expect(await given.stores.users.find(environmentId, 'u13')).toBeDefined()
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    })

    test('a test message is not counted, and a message of another channel is in no inbox', async () => {
      const environmentId = given.environmentId()
      const campaignId = given.id()
      await write(given, trackPlan(given, { environmentId, userIds: ['u1'], campaignId, isTest: true }))
      const mail = trackPlan(given, {
        environmentId,
        userIds: ['u1'],
        campaignId,
        message: { channel: 'email', status: 'queued' },
      })
      await write(given, mail)
      const user = await given.stores.users.find(environmentId, 'u1')
      expect(await given.stores.inboxes.head({ environmentId, userNo: user?.userNo ?? 0 })).toMatchObject({
        seq: 1,
        unread: 1,
        unopened: 1,
      })
      expect(await given.stores.funnels.slices(environmentId, campaignId, 'inbox', null)).toEqual([])
      expect(await given.stores.funnels.slices(environmentId, campaignId, 'email', null)).toEqual([])
      expect(
        await given.stores.inboxes.find({ environmentId, userNo: user?.userNo ?? 0 }, firstMessage(mail).id),
      ).toBeUndefined()
    })

    async function createSecret(environmentId: number, hash: string): Promise<number> {
      const id = given.id()
      const at = given.now()
      await given.stores.secrets.create({
        id,
        environmentId,
        kind: 'sdkSecretKey',
        hash,
        plain: null,
        sealed: null,
        createdAt: at,
        retiresAt: null,
        lastUsedAt: null,
      })
      return id
    }

    async function createCampaign(environmentId: number) {
      const id = given.id()
      const draft = {
        key: `c-${id}`,
        name: 'C',
        category: null,
        notificationConfigId: null,
        maxLateness: 'PT24H',
        trigger: { event: 'e' },
        steps: [],
      }
      const campaign = {
        id,
        environmentId,
        key: draft.key,
        name: 'C',
        category: null,
        status: 'draft' as const,
        currentVersion: null,
        drains: false,
        resumedAt: null,
        draft,
      }
      await given.stores.campaigns.insertOnce({ ...campaign, createdAt: given.now(), updatedAt: given.now() })
      return campaign
    }
  })
}
