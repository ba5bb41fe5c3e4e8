// Tests of both engines: inboxes, their changes, and the effect of delivery events.

import { describe, expect, test } from 'vitest'
import type { User } from '../../domain/user.ts'
import {
  act,
  counts,
  firstMessage,
  funnelOf,
  givenStore,
  HOUR,
  type OpenStores,
  page,
  readAll,
  report,
  trackPlan,
  userWithMessages,
  write,
} from './given.ts'

const ownerOf = ({ environmentId, userNo }: User) => ({ environmentId, userNo })

export function inboxSuite(open: OpenStores): void {
  describe('inbox', () => {
    const given = givenStore(open)
    const ids = (messages: { id: number }[]) => messages.map((message) => message.id)

    test('a new message is first, counted, and pushed with its seq', async () => {
      const { user, messageIds } = await userWithMessages(given, 2)
      const plan = trackPlan(given, { environmentId: user.environmentId, userIds: ['u1'] })
      const { pushes } = await write(given, plan)
      const added = firstMessage(plan).id
      const epoch = (await given.stores.inboxes.head(user)).epoch
      const changes = [{ seq: 3, op: 'add', messageId: added }]
      expect(pushes).toEqual([
        { userNo: user.userNo, epoch, from: 2, seq: 3, unread: 3, unopened: 3, changes, reset: false },
      ])
      const { messages, head } = await page(given, user)
      expect(ids(messages)).toEqual([added, ...messageIds.reverse()])
      expect(head).toMatchObject({ seq: 3, unread: 3, unopened: 3 })
    })

    test('pages follow each other by seq, and filter by category', async () => {
      const environmentId = given.environmentId()
      for (const category of ['x', 'y', 'x', 'x']) {
        await write(given, trackPlan(given, { environmentId, userIds: ['u1'], message: { category } }))
      }
      const user = await given.stores.users.upsert(environmentId, 'u1', {}, given.now())
      const position = {
        environmentId,
        userNo: user.userNo,
        filter: 'all' as const,
        category: 'x',
        before: null,
        limit: 2,
        now: given.now(),
      }
      const first = await given.stores.inboxes.page(position)
      expect(first.messages.map((message) => message.seq)).toEqual([4, 3])
      const second = await given.stores.inboxes.page({ ...position, before: 3 })
      expect(second.messages.map((message) => message.seq)).toEqual([1])
    })

    test('archived and snoozed messages are not counted, and have their own lists', async () => {
      const { user, messageIds } = await userWithMessages(given, 3)
      const [a = 0, b = 0, c = 0] = messageIds
      await act(given, user, [a], [{ action: 'archive' }])
      const snoozed = await act(given, user, [b], [{ action: 'snooze', until: given.now() + HOUR }])
      expect(snoozed).toMatchObject({ found: [true], changed: 1, pushes: [{ seq: 5, unread: 1, unopened: 1 }] })
      expect(ids((await page(given, user)).messages)).toEqual([c])
      expect(ids((await page(given, user, 'archived')).messages)).toEqual([a])
      expect(ids((await page(given, user, 'snoozed')).messages)).toEqual([b])
      expect((await report(given, user, a, ['read'])).pushes).toMatchObject([{ unread: 1, unopened: 1 }])
      await act(given, user, [a, b], [{ action: 'unarchive' }, { action: 'end-snooze' }, { action: 'unsnooze' }])
      expect(await counts(given, user)).toEqual({ seq: 8, unread: 2, unopened: 3 })
    })

    test('actions without an effect write nothing', async () => {
      const { user, messageIds } = await userWithMessages(given, 2)
      await act(given, user, messageIds, [{ action: 'mark-opened' }])
      expect(await act(given, user, messageIds, [{ action: 'mark-opened' }, { action: 'unarchive' }])).toEqual({
        found: [true, true],
        changed: 0,
        pushes: [],
      })
      expect((await readAll(given, user, 2)).changed).toBe(0)
      expect(await counts(given, user)).toEqual({ seq: 4, unread: 0, unopened: 0 })
    })

    test('marked as unread, a message has its dot again but not its badge, until it is opened again', async () => {
      const { user, messageIds } = await userWithMessages(given, 1)
      const [messageId = 0] = messageIds
      await report(given, user, messageId, ['opened'])
      await act(given, user, [messageId], [{ action: 'unopen' }])
      expect(await counts(given, user)).toEqual({ seq: 3, unread: 0, unopened: 1 })
      expect((await report(given, user, messageId, ['opened'])).results).toEqual(['repeated'])
      expect(await counts(given, user)).toEqual({ seq: 4, unread: 0, unopened: 0 })
    })

    test('a removed message is missing in the inbox; earlier events are recorded in the history only', async () => {
      const campaignId = given.id()
      const { user, messageIds } = await userWithMessages(given, 2, { campaignId })
      const [a = 0, b = 0] = messageIds
      const before = given.now()
      given.advance(1)
      expect((await act(given, user, [a], [{ action: 'remove' }])).pushes).toMatchObject([
        { changes: [{ seq: 3, op: 'remove', messageId: a }], unread: 1 },
      ])
      expect(await given.stores.inboxes.find(user, a)).toBeUndefined()
      expect(await act(given, user, [a], [{ action: 'archive' }])).toMatchObject({ found: [false], changed: 0 })
      expect(await report(given, user, a, ['clicked'])).toEqual({ results: ['missing'], pushes: [] })
      expect(await report(given, user, a, [{ type: 'opened', at: before }])).toEqual({
        results: ['recorded'],
        pushes: [],
      })
      expect(await funnelOf(given, user.environmentId, campaignId)).toEqual({
        delivery: 2,
        read: 1,
        opened: 1,
        clicked: 0,
      })
      expect(ids((await page(given, user)).messages)).toEqual([b])
      expect(await counts(given, user)).toEqual({ seq: 3, unread: 1, unopened: 1 })
    })

    test('a collapse key replaces the earlier message with this key, also within a batch', async () => {
      const environmentId = given.environmentId()
      const plans = Array.from({ length: 3 }, () =>
        trackPlan(given, { environmentId, userIds: ['u1', 'u2'], message: { collapseKey: 'k' } }),
      )
      await write(given, plans[0] ?? trackPlan(given, { environmentId }))
      await Promise.all(plans.slice(1).map((plan) => write(given, plan)))
      for (const [index, userId] of ['u1', 'u2'].entries()) {
        const user = await given.stores.users.upsert(environmentId, userId, {}, given.now())
        expect(ids((await page(given, user)).messages)).toEqual([plans[2]?.messages[index]?.id])
        expect(await counts(given, user)).toEqual({ seq: 5, unread: 1, unopened: 1 })
      }
    })

    test('read-all marks the messages of the list up to its seq, without a delivery event', async () => {
      const campaignId = given.id()
      const { user, messageIds } = await userWithMessages(given, 4, { campaignId })
      await act(given, user, [messageIds[0] ?? 0], [{ action: 'archive' }])
      const outcome = await readAll(given, user, 3)
      expect(outcome).toMatchObject({ changed: 2, pushes: [{ from: 5, seq: 7, unread: 1, unopened: 1, reset: false }] })
      expect(outcome.pushes[0]?.changes).toHaveLength(2)
      expect(await funnelOf(given, user.environmentId, campaignId)).toEqual({
        delivery: 4,
        read: 0,
        opened: 0,
        clicked: 0,
      })
    })

    test('a read-all does not change messages above its seq in the same batch', async () => {
      const { user, environmentId } = await userWithMessages(given, 2)
      const plan = trackPlan(given, { environmentId, userIds: ['u1'] })
      const [, outcome] = await Promise.all([write(given, plan), readAll(given, user, 2)])
      expect(outcome).toMatchObject({ changed: 2, pushes: [{ from: 3, seq: 5, unread: 1, unopened: 1 }] })
      expect(ids((await page(given, user, 'unopened')).messages)).toEqual([firstMessage(plan).id])
    })

    test('a read-all over more than 500 messages is pushed as a reset, and older positions are reset too', async () => {
      const { user } = await userWithMessages(given, 501)
      const outcome = await readAll(given, user, 501)
      expect(outcome).toMatchObject({
        changed: 501,
        pushes: [{ from: 1002, seq: 1002, unread: 0, unopened: 0, changes: [], reset: true }],
      })
      expect(await given.stores.inboxes.changes(user, 600, null)).toMatchObject({ reset: true, changes: [] })
      expect(await given.stores.inboxes.changes(user, 1002, null)).toMatchObject({ reset: false, changes: [] })
      expect((await page(given, user, 'unopened')).messages).toEqual([])
    })

    test('changes since a seq are in order and without a gap', async () => {
      const { user, messageIds } = await userWithMessages(given, 3)
      const [a = 0, b = 0] = messageIds
      await report(given, user, a, ['read'])
      await act(given, user, [b], [{ action: 'remove' }])
      const all = await given.stores.inboxes.changes(user, 0, null)
      expect(all.changes.map((change) => [change.seq, change.op])).toEqual([
        [1, 'add'],
        [2, 'add'],
        [3, 'add'],
        [4, 'update'],
        [5, 'remove'],
      ])
      expect(all.head).toEqual(await given.stores.inboxes.head(user))
      const some = await given.stores.inboxes.changes(user, 3, all.head.epoch)
      expect(some.changes).toMatchObject([
        { op: 'update', messageId: a, patch: { readAt: expect.any(String) } },
        { op: 'remove', messageId: b },
      ])
      for (const [since, epoch] of [
        [6, null],
        [2, 'other'],
      ] as const) {
        expect(await given.stores.inboxes.changes(user, since, epoch)).toMatchObject({
          reset: true,
          changes: [],
        })
      }
    })

    test('the log keeps the newest 1,000 changes', async () => {
      const { user, messageIds } = await userWithMessages(given, 1)
      for (let round = 0; round < 3; round++) {
        const flips = Array.from({ length: 500 }, (_, index) =>
          act(given, user, messageIds, [{ action: index % 2 === 0 ? 'archive' : 'unarchive' }]),
        )
        await Promise.all(flips)
      }
      const { changes, reset } = await given.stores.inboxes.changes(user, 501, null)
      expect([reset, changes.length, changes[0]?.seq]).toEqual([false, 1000, 502])
      expect((await given.stores.inboxes.changes(user, 500, null)).reset).toBe(true)
    })

    test('changes for many positions in one statement equal the changes for each', async () => {
      const { user, messageIds } = await userWithMessages(given, 3)
      const [a = 0, b = 0] = messageIds
      await report(given, user, a, ['read'])
      await act(given, user, [b], [{ action: 'remove' }])
      const other = (await userWithMessages(given, 2)).user
      const full = await userWithMessages(given, 501)
      await readAll(given, full.user, 501)
      const positions = [
        ...[0, 2, 3, 5, 6].map((since) => ({ ...ownerOf(user), since, count: 1000 })),
        ...[1, 0].map((since) => ({ ...ownerOf(other), since, count: 1000 })),
        // Before the start of the log (twice), at its end, and of an unknown user.
        ...[1, 600, 1002].map((since) => ({ ...ownerOf(full.user), since, count: 1000 })),
        ...[0, 1].map((since) => ({ environmentId: 1, userNo: 999_999, since, count: 1000 })),
      ]
      const alone = await Promise.all(
        positions.map((position) => given.stores.inboxes.changes(position, position.since, null)),
      )
      expect(alone.map(({ changes, reset }) => (reset ? 'reset' : changes.length))).toEqual([
        5,
        3,
        2,
        0,
        'reset',
        1,
        2,
        'reset',
        'reset',
        0,
        0,
        'reset',
      ])
      expect(await given.stores.catchUps.missed(positions)).toEqual(alone)
    })

    test('unopened messages are found behind opened ones, page by page', async () => {
      const { user, messageIds } = await userWithMessages(given, 30)
      const unopened = [0, 1, 14, 28].map((at) => messageIds[at] ?? 0)
      for (const id of messageIds) {
        if (!unopened.includes(id)) await act(given, user, [id], [{ action: 'mark-opened' }])
      }
      const read: number[] = []
      for (let before: number | null = null; ; ) {
        const position = { ...ownerOf(user), filter: 'unopened' as const, category: null, limit: 3, now: given.now() }
        const { messages, hasMore } = await given.stores.inboxes.page({ ...position, before })
        read.push(...messages.map(({ id }) => id))
        before = messages.at(-1)?.seq ?? null
        if (!hasMore) break
      }
      expect(read).toEqual(unopened.reverse())
      for (const id of unopened) await act(given, user, [id], [{ action: 'mark-opened' }])
      expect((await page(given, user, 'unopened')).messages).toEqual([])
      expect((await page(given, user)).messages).toHaveLength(30)
    })

    test('one read of an inbox takes about 1 MiB: a page ends there, more changes are a reset', async () => {
      const snapshot = JSON.stringify({ title: 'Large', body: 'ü'.repeat(32_000) })
      const { user } = await userWithMessages(given, 40, { message: { snapshot } })
      const perPage = Math.ceil((1024 * 1024) / Buffer.byteLength(snapshot))
      const read: number[] = []
      const sizes: number[] = []
      for (let before: number | null = null; ; before = read.at(-1) ?? null) {
        const position = {
          ...ownerOf(user),
          filter: 'all' as const,
          category: null,
          before,
          limit: 30,
          now: given.now(),
        }
        const { messages, hasMore } = await given.stores.inboxes.page(position)
        read.push(...messages.map(({ seq }) => seq))
        sizes.push(messages.length)
        if (!hasMore) break
      }
      expect(read).toEqual(Array.from({ length: 40 }, (_, at) => 40 - at))
      expect(sizes).toEqual([perPage, perPage, 40 - 2 * perPage])
      const asked = [0, 5, 24, 39].map((since) => ({ ...ownerOf(user), since, count: 1000 }))
      const missed = await given.stores.catchUps.missed(asked)
      expect(missed.map(({ reset, changes }) => [reset, changes.length])).toEqual([
        [true, 0],
        [true, 0],
        [false, 16],
        [false, 1],
      ])
      const alone = asked.map((position) => given.stores.inboxes.changes(position, position.since, null))
      expect(missed).toEqual(await Promise.all(alone))
    })

    test('due messages are listed until they are processed', async () => {
      const expiresAt = given.now() + HOUR
      const environmentId = given.environmentId()
      const { user, messageIds } = await userWithMessages(given, 1, { environmentId, message: { expiresAt } })
      const snoozedIds = (await userWithMessages(given, 1, { environmentId })).messageIds
      const ofUser = async () =>
        (await given.stores.inboxes.listDue(given.now(), 100)).filter((due) => due.userNo === user.userNo)
      await act(given, user, snoozedIds, [{ action: 'snooze', until: expiresAt }])
      expect(await ofUser()).toEqual([])
      expect((await act(given, user, snoozedIds, [{ action: 'end-snooze' }])).changed).toBe(0)
      given.advance(HOUR)
      expect((await page(given, user)).messages).toEqual([])
      expect(await ofUser()).toEqual([
        { environmentId, userNo: user.userNo, messageId: messageIds[0], due: 'expire' },
        { environmentId, userNo: user.userNo, messageId: snoozedIds[0], due: 'end-snooze' },
      ])
      await act(given, user, messageIds, [{ action: 'expire' }])
      await act(given, user, snoozedIds, [{ action: 'end-snooze' }])
      expect(await ofUser()).toEqual([])
      expect(await counts(given, user)).toEqual({ seq: 5, unread: 1, unopened: 1 })
    })

    test('messages of an entity are found, unopened ones first', async () => {
      const { user, messageIds } = await userWithMessages(given, 3, { message: { entity: 'order:1' } })
      const [a, b, c] = messageIds
      await act(given, user, [c ?? 0], [{ action: 'mark-opened' }])
      expect(await given.stores.inboxes.listOfEntity(user, 'order:1', 10)).toEqual([b, a, c])
      expect(await given.stores.inboxes.listOfEntity(user, 'order:2', 10)).toEqual([])
    })

    test('positions of several inboxes are read at once, with zeros for unknown users', async () => {
      const { user } = await userWithMessages(given, 2)
      const heads = await given.stores.inboxes.heads([user, { ...ownerOf(user), userNo: 999_999 }])
      expect(heads.get(user.userNo)).toEqual(await given.stores.inboxes.head(user))
      expect(heads.get(999_999)).toMatchObject({ seq: 0, unread: 0, unopened: 0 })
    })
  })
}
