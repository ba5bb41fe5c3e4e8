// The store: lists, pages, changes, and what is shown before the server confirms it.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InboxChange, InboxMessage, InboxPage, MessagePatch } from '../../contract/api.ts'
import { createInboxStore } from './inbox-store.ts'

const message = (seq: number, more: Partial<InboxMessage> = {}): InboxMessage => ({
  id: `m${seq}`,
  seq,
  title: `Message ${seq}`,
  body: '',
  bodyFormat: 'text',
  link: null,
  actions: [],
  category: null,
  entity: null,
  icon: null,
  imageUrl: null,
  priority: 'normal',
  data: {},
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  unopened: true,
  readAt: null,
  openedAt: null,
  clickedAt: null,
  archivedAt: null,
  snoozedUntil: null,
  ...more,
})
const page = (seqs: number[], nextCursor: string | null = null, seq = 100): InboxPage => ({
  data: seqs.map((s) => message(s)),
  nextCursor,
  inbox: { epoch: 'e', seq, unread: seqs.length, unopened: seqs.length },
})
const AT = '2026-01-02T00:00:00.000Z'
const apply = (store: ReturnType<typeof createInboxStore>, ...changes: InboxChange[]) =>
  store.apply(changes, changes.at(-1)?.seq ?? 0)
const shownSeqs = (store: ReturnType<typeof createInboxStore>, filter: 'all' | 'archived' | 'unopened' = 'all') =>
  store.list(filter)?.map(({ seq }) => seq)

test('a list is unknown before its first page, then newest first, and shows no hole below it', () => {
  const store = createInboxStore()
  expect(store.list('all')).toBeUndefined()
  store.addPage('all', page([9, 8], 'c'), true)
  apply(store, { seq: 101, op: 'add', message: message(10) })
  store.addPage('archived', page([], null), true)
  apply(store, { seq: 102, op: 'add', message: message(3) })
  expect(shownSeqs(store)).toEqual([10, 9, 8])
  store.addPage('all', page([7, 3]), false)
  expect(shownSeqs(store)).toEqual([10, 9, 8, 7, 3])
})

test('a change of a kind that only a newer service knows changes nothing, and those after it count', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8]), true)
  const unknown: InboxChange = JSON.parse('{ "seq": 101, "op": "pin", "id": "m9" }')
  apply(store, unknown, { seq: 102, op: 'add', message: message(10) })
  expect(shownSeqs(store)).toEqual([10, 9, 8])
})

test('a page that was read before a change does not undo it', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8]), true)
  apply(store, { seq: 101, op: 'update', id: 'm9', patch: { unopened: false } }, { seq: 102, op: 'remove', id: 'm8' })
  store.addPage('all', page([9, 8], null, 100), true)
  expect(store.find('m9')?.unopened).toBe(false)
  expect(shownSeqs(store)).toEqual([9])
})

test('what is pending shows at once, counts with it, and goes back when refused', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8]), true)
  const counts = { unread: 2, unopened: 2 }
  const archive = store.begin(['m9'], { archivedAt: AT })
  const read = store.begin(['m8'], { readAt: AT })
  expect(shownSeqs(store)).toEqual([8])
  expect(store.counts(counts)).toEqual({ unread: 0, unopened: 1 })
  store.drop(archive)
  expect(shownSeqs(store)).toEqual([9, 8])
  store.settle(read, 101)
  expect(store.counts({ unread: 1, unopened: 2 })).toEqual({ unread: 1, unopened: 2 })
  expect([store.find('m8')?.readAt, store.known('m8')?.readAt]).toEqual([AT, null])
  apply(store, { seq: 101, op: 'update', id: 'm8', patch: { readAt: '2026-01-03T00:00:00.000Z' } })
  // From here on it is the log that speaks.
  expect(store.find('m8')?.readAt).toBe('2026-01-03T00:00:00.000Z')
})

test.each([
  ['answers, then frames', 'abFG'],
  ['frames, then answers', 'FGab'],
  ['each by itself', 'aFbG'],
])('archived and taken back at once, the message is in the list: %s', (_, order) => {
  const store = createInboxStore()
  store.addPage('all', page([9], null, 100), true)
  let seq = 100
  const archive = store.begin(['m9'], { archivedAt: AT })
  const undo = store.begin(['m9'], { archivedAt: null })
  // As the core does: what the log has told already need not be waited for.
  const answered = (handle: number, at: number): void => (at > seq ? store.settle(handle, at) : store.drop(handle))
  const told = (at: number, archivedAt: string | null): void => {
    seq = at
    apply(store, { seq, op: 'update', id: 'm9', patch: { archivedAt } })
  }
  const steps: Record<string, () => void> = {
    a: () => answered(archive, 101),
    b: () => answered(undo, 102),
    F: () => told(101, AT),
    G: () => told(102, null),
  }
  for (const step of order) {
    steps[step]?.()
    expect(shownSeqs(store), step).toEqual([9])
  }
  expect([store.find('m9'), store.known('m9')?.archivedAt]).toEqual([store.known('m9'), null])
})

test('"mark all" counts nothing up to its seq, and what arrives after it', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8]), true)
  store.begin([], {}, 100)
  expect(store.counts({ unread: 50, unopened: 60 })).toEqual({ unread: 0, unopened: 0 })
  apply(store, { seq: 101, op: 'add', message: message(101) })
  expect(store.counts({ unread: 51, unopened: 61 })).toEqual({ unread: 1, unopened: 1 })
  expect(shownSeqs(store, 'all')).toEqual([101, 9, 8])
})

test('a reset keeps the old list in view until the new page, and what arrived meanwhile after it', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8]), true)
  store.expire()
  expect(shownSeqs(store)).toEqual([9, 8])
  apply(store, { seq: 6, op: 'add', message: message(6) })
  store.addPage('all', page([5, 4], null, 5), true)
  expect(shownSeqs(store)).toEqual([6, 5, 4])
})

test('what the server took stays in view over a reset, until the page that has it', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8]), true)
  store.settle(store.begin(['m9'], { archivedAt: AT }), 700)
  store.expire()
  expect(shownSeqs(store)).toEqual([8])
  store.addPage('all', page([8], null, 5), true)
  expect([shownSeqs(store), store.find('m9')]).toEqual([[8], undefined])
})

test('a change that comes between a reset and its page is put upon the page, not upon what was there before', () => {
  const store = createInboxStore()
  store.addPage('all', page([3, 2, 1]), true)
  store.expire()
  apply(store, { seq: 102, op: 'update', id: 'm2', patch: { readAt: AT } })
  // Read before that change: it has to be read again.
  expect(store.fits(page([3, 2, 1], null, 101))).toBe(false)
  store.addPage('all', page([3, 1], null, 102), true)
  expect(shownSeqs(store)).toEqual([3, 1])
  expect(store.find('m2')).toBeUndefined()
})

test('a page does not fit that has a message as it was before a change, when the page alone has the message', () => {
  const store = createInboxStore()
  apply(store, { seq: 101, op: 'update', id: 'm9', patch: { unopened: false } })
  expect([store.fits(page([9, 8], null, 100)), store.fits(page([9, 8], null, 101))]).toEqual([false, true])
})

test('what waits for a message comes in its order, between marks of all', () => {
  const store = createInboxStore()
  store.addPage('all', page([2, 1]), true)
  store.begin(['m1'], { unopened: true })
  const mark = store.begin([], {}, 100)
  expect([store.find('m1')?.unopened, store.find('m2')?.unopened]).toEqual([false, false])
  const later = store.begin(['m1'], { unopened: true })
  expect([store.find('m1')?.unopened, store.find('m2')?.unopened]).toEqual([true, false])
  store.drop(later)
  store.drop(mark)
  expect([store.find('m1')?.unopened, store.find('m2')?.unopened]).toEqual([true, true])
})

test('hundreds of reads over ten thousand messages: each message is looked at a few times, not for each of them', () => {
  const store = createInboxStore()
  let looks = 0
  const watched = Array.from({ length: 10_000 }, (_, at) => {
    const { id, ...rest } = message(10_000 - at)
    return Object.defineProperty(rest, 'id', {
      enumerable: true,
      get: () => {
        looks++
        return id
      },
    }) as InboxMessage
  })
  store.addPage('all', { ...page([]), data: watched }, true)
  for (let seq = 10_000; seq > 9_500; seq--) store.begin([`m${seq}`], { readAt: AT })
  looks = 0
  expect(store.list('all')).toHaveLength(10_000)
  expect(store.counts({ unread: 10_000, unopened: 10_000 }).unread).toBe(9_500)
  expect(looks).toBeLessThan(10 * 10_000)
})

test('a list is the same array until something changes', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8]), true)
  const before = store.list('all')
  expect(store.list('all')).toBe(before)
  store.begin(['m9'], 'removed')
  expect(store.list('all')).not.toBe(before)
})

test('what is stored comes back whole pages deep', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8], 'c1'), true)
  store.addPage('all', page([7, 6], 'c2'), false)
  const stored = store.toStored(3)
  expect(stored?.messages.map(({ seq }) => seq)).toEqual([9, 8])
  const again = createInboxStore()
  if (stored) again.restore(stored)
  expect([shownSeqs(again), again.cursor('all')]).toEqual([[9, 8], 'c1'])
})

test('more than may be stored is cut, and what follows is read anew', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8], 'c1'), true)
  for (const seq of [101, 102]) apply(store, { seq, op: 'add', message: message(seq) })
  const stored = store.toStored(3)
  expect([stored?.messages.map(({ seq }) => seq), stored?.end]).toEqual([[102, 101, 9], { floor: 9, cursor: '' }])
})

test('a change of a message that this page never saw asks anew for the lists that it may have come into', () => {
  const store = createInboxStore()
  for (const filter of ['all', 'archived'] as const) store.addPage(filter, page([9, 8]), true)
  const stale = (seq: number, patch: MessagePatch) => apply(store, { seq, op: 'update', id: 'x', patch }).stale
  expect(stale(101, { snoozedUntil: null })).toEqual(['all'])
  expect(stale(102, { unopened: false })).toEqual([])
  expect(stale(103, { archivedAt: AT })).toEqual(['archived'])
  expect(stale(104, { unopened: true })).toEqual([])
})

test('after any changes in order, the counts of the server and the rows agree', () => {
  const patch = fc.record(
    { unopened: fc.boolean(), readAt: fc.constantFrom(null, AT), archivedAt: fc.constantFrom(null, AT) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), patch)), fc.boolean(), (steps, answersFirst) => {
      const server = createInboxStore()
      const client = createInboxStore()
      for (const store of [server, client]) store.addPage('all', page([6, 5, 4, 3, 2, 1]), true)
      const countsOf = (store: typeof server) => {
        const rows = store.list('all') ?? []
        return {
          unread: rows.filter((m) => m.unopened && m.readAt === null).length,
          unopened: rows.filter((m) => m.unopened).length,
        }
      }
      steps.forEach(([at, p], step) => {
        const before = countsOf(server)
        const handle = client.begin([`m${at}`], p)
        apply(server, { seq: 101 + step, op: 'update', id: `m${at}`, patch: p })
        // Shown at once: as the server will count it.
        expect(client.counts(before)).toEqual(countsOf(server))
        const told = (): unknown => apply(client, { seq: 101 + step, op: 'update', id: `m${at}`, patch: p })
        if (answersFirst) {
          client.settle(handle, 101 + step)
          expect(client.counts(countsOf(server))).toEqual(countsOf(server))
          told()
        } else {
          told()
          client.drop(handle)
        }
        expect(client.counts(countsOf(server))).toEqual(countsOf(server))
        expect(client.list('all')).toEqual(server.list('all'))
      })
    }),
  )
})

test('what was told while a page from before it was on its way is not shown as still on its way', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8, 2]), true)
  store.expire()
  const handle = store.begin(['m2'], { archivedAt: '2026-01-02T00:00:01.000Z' })
  store.settle(handle, 101)
  apply(store, { seq: 101, op: 'update', id: 'm2', patch: { archivedAt: AT } })
  store.addPage('all', page([9, 8], 'c', 100), true)
  store.addPage('archived', { ...page([2], null, 101), data: [message(2, { archivedAt: AT })] }, true)
  expect(store.list('archived')?.map(({ archivedAt }) => archivedAt)).toEqual([AT])
})

test('a list whose page is on its way lacks what was told of a message that nobody has seen', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8]), true)
  const snoozed: InboxChange[] = [{ seq: 101, op: 'update', id: 'x', patch: { snoozedUntil: AT } }]
  expect(store.apply(snoozed, 101, ['archived', 'snoozed']).stale).toEqual(['snoozed'])
})

test('a message that has run out is in no list and no count, also when no change says so', () => {
  let now = Date.parse(AT)
  const store = createInboxStore(() => now)
  const ending = message(9, { expiresAt: new Date(now + 5_000).toISOString() })
  store.addPage('all', { ...page([8]), data: [ending, message(8)] }, true)
  expect([shownSeqs(store), store.counts({ unread: 2, unopened: 2 })]).toEqual([[9, 8], { unread: 2, unopened: 2 }])
  // The service removes it at its end; a page that hears nothing of that does so a moment later.
  now = store.nextExpiry()
  expect(now - Date.parse(AT)).toBeLessThan(10_000)
  expect([shownSeqs(store), store.find('m9')]).toEqual([[8], undefined])
  expect(store.counts({ unread: 2, unopened: 2 })).toEqual({ unread: 1, unopened: 1 })
  expect(store.nextExpiry()).toBe(Number.POSITIVE_INFINITY)
  // Once the service has said it, its counts are taken as they are.
  apply(store, { seq: 101, op: 'remove', id: 'm9' })
  expect(store.counts({ unread: 1, unopened: 1 })).toEqual({ unread: 1, unopened: 1 })
})
