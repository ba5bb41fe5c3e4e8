// The store: lists, pages, changes, and what is shown before the server confirms it (contract section 5).

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InboxMessage, InboxPage } from '../../contract/api.ts'
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
const shownSeqs = (store: ReturnType<typeof createInboxStore>, filter: 'all' | 'archived' | 'unopened' = 'all') =>
  store.list(filter)?.map(({ seq }) => seq)

test('a list is unknown before its first page, then newest first, and shows no hole below it', () => {
  const store = createInboxStore()
  expect(store.list('all')).toBeUndefined()
  store.addPage('all', page([9, 8], 'c'), true)
  store.apply([{ seq: 101, op: 'add', message: message(10) }])
  store.addPage('archived', page([], null), true)
  store.apply([{ seq: 102, op: 'add', message: message(3) }])
  expect(shownSeqs(store)).toEqual([10, 9, 8])
  store.addPage('all', page([7, 3]), false)
  expect(shownSeqs(store)).toEqual([10, 9, 8, 7, 3])
})

test('a page that was read before a change does not undo it', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8]), true)
  store.apply([
    { seq: 101, op: 'update', id: 'm9', patch: { unopened: false } },
    { seq: 102, op: 'remove', id: 'm8' },
  ])
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
  store.rollback(archive)
  expect(shownSeqs(store)).toEqual([9, 8])
  store.confirm(read)
  expect(store.counts({ unread: 1, unopened: 2 })).toEqual({ unread: 1, unopened: 2 })
  expect(store.find('m8')?.readAt).toBe(AT)
})

test.each([
  ['answers, then frames', 'abB'],
  ['frames, then answers', 'fFab'],
])('archived and taken back at once, the message is in the list: %s', (_, order) => {
  const store = createInboxStore()
  store.addPage('all', page([9], null, 100), true)
  const archive = store.begin(['m9'], { archivedAt: AT })
  const undo = store.begin(['m9'], { archivedAt: null })
  const known = store.find('m9') as InboxMessage
  const steps: Record<string, () => void> = {
    a: () => store.confirm(archive, { seq: 101, message: { ...known, archivedAt: AT } }),
    b: () => store.confirm(undo, { seq: 102, message: { ...known, archivedAt: null } }),
    B: () => {
      store.apply([{ seq: 101, op: 'update', id: 'm9', patch: { archivedAt: AT } }])
      expect(shownSeqs(store)).toEqual([9])
      store.apply([{ seq: 102, op: 'update', id: 'm9', patch: { archivedAt: null } }])
    },
    f: () => store.apply([{ seq: 101, op: 'update', id: 'm9', patch: { archivedAt: AT } }]),
    F: () => store.apply([{ seq: 102, op: 'update', id: 'm9', patch: { archivedAt: null } }]),
  }
  for (const step of order) {
    steps[step]?.()
    expect(shownSeqs(store), step).toEqual([9])
  }
  expect(store.find('m9')?.archivedAt).toBeNull()
})

test('"mark all" counts nothing up to its seq, and what arrives after it', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8]), true)
  store.begin([], {}, 100)
  expect(store.counts({ unread: 50, unopened: 60 })).toEqual({ unread: 0, unopened: 0 })
  store.apply([{ seq: 101, op: 'add', message: message(101) }])
  expect(store.counts({ unread: 51, unopened: 61 })).toEqual({ unread: 1, unopened: 1 })
  expect(shownSeqs(store, 'all')).toEqual([101, 9, 8])
})

test('a reset keeps the old list in view until the new page, and what arrived meanwhile after it', () => {
  const store = createInboxStore()
  store.addPage('all', page([9, 8]), true)
  store.expire()
  expect(shownSeqs(store)).toEqual([9, 8])
  store.apply([{ seq: 6, op: 'add', message: message(6) }])
  store.addPage('all', page([5, 4], null, 5), true)
  expect(shownSeqs(store)).toEqual([6, 5, 4])
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

test('a change of a message that this page never saw asks for the list anew only when it comes back', () => {
  const store = createInboxStore()
  expect(store.apply([{ seq: 1, op: 'update', id: 'x', patch: { snoozedUntil: null } }]).isStale).toBe(true)
  expect(store.apply([{ seq: 2, op: 'update', id: 'x', patch: { unopened: false } }]).isStale).toBe(false)
})

test('after any changes in order, the counts of the server and the rows agree', () => {
  const patch = fc.record(
    { unopened: fc.boolean(), readAt: fc.constantFrom(null, AT), archivedAt: fc.constantFrom(null, AT) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), patch)), fc.boolean(), (steps, confirms) => {
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
        server.apply([{ seq: 101 + step, op: 'update', id: `m${at}`, patch: p }])
        // Shown at once: as the server will count it.
        expect(client.counts(before)).toEqual(countsOf(server))
        if (confirms) client.confirm(handle)
        else {
          client.apply([{ seq: 101 + step, op: 'update', id: `m${at}`, patch: p }])
          client.confirm(handle)
        }
        expect(client.counts(countsOf(server))).toEqual(countsOf(server))
        expect(client.list('all')).toEqual(server.list('all'))
      })
    }),
  )
})
