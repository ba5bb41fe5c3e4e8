// Delivery events that are shown before the log tells them: for as long as they are on their way, and no longer.

import { expect, test } from 'vitest'
import type { InboxMessage, MessagePatch, RegisterItem } from '../../../contract/api.ts'
import { createInboxStore } from '../inbox-store.ts'
import { createShownReceipts } from './delivery-queue.ts'

const AT = '2026-01-02T00:00:00.000Z'
const opened: RegisterItem = { messageId: 'm', eventType: 'opened', occurredAt: AT }
const read: RegisterItem = { messageId: 'm', eventType: 'read', occurredAt: AT }

/** With one message, and the log at its seq. */
function given(more: Partial<InboxMessage> = {}) {
  const store = createInboxStore()
  const shown = createShownReceipts(store, () => {})
  const message = { id: 'm', seq: 1, unopened: true, readAt: null, openedAt: null, archivedAt: null } as InboxMessage
  const inbox = { epoch: 'e', seq: 1, unread: 1, unopened: 1 }
  store.addPage('all', { data: [{ ...message, snoozedUntil: null, ...more }], nextCursor: null, inbox }, true)
  let seq = 1
  return {
    shown,
    tell: (...patches: MessagePatch[]) => {
      store.apply(
        patches.map((patch) => ({ seq: ++seq, op: 'update', id: 'm', patch })),
        seq,
      )
      shown.review()
    },
    unopened: () => store.find('m')?.unopened,
    readAt: () => store.find('m')?.readAt,
  }
}
const told = { readAt: AT, openedAt: AT, unopened: false }

test('shown until the log tells it', () => {
  const { shown, tell, unopened } = given()
  shown.show([opened])
  expect(unopened()).toBe(false)
  tell({ archivedAt: null })
  expect(unopened()).toBe(false)
  tell(told)
  tell({ unopened: true })
  expect(unopened()).toBe(true)
})

test('opened, and marked as unopened before this tab heard of either: unopened', () => {
  const { shown, tell, unopened } = given()
  shown.show([opened])
  tell(told, { unopened: true })
  expect(unopened()).toBe(true)
})

test('opened again, a message is shown as opened until the log tells that, too', () => {
  const { shown, tell, unopened } = given({ ...told, unopened: true })
  shown.show([opened])
  tell({ archivedAt: null })
  expect(unopened()).toBe(false)
  tell({ unopened: false })
  tell({ unopened: true })
  expect(unopened()).toBe(true)
})

test('what is in no queue any more is not shown; what is noted while the disk is asked is', async () => {
  const { shown, unopened, readAt } = given()
  shown.show([opened])
  await shown.reconcile(async () => {
    shown.show([read])
    return new Set()
  })
  expect([unopened(), readAt()]).toEqual([true, AT])
  await shown.reconcile(async () => undefined)
  expect(readAt()).toBe(AT)
  await shown.reconcile(async () => new Set(['read|m']))
  expect(readAt()).toBe(AT)
  await shown.reconcile(async () => new Set())
  expect(readAt()).toBeNull()
})

test('what is answered together is settled together: no count between has some of it twice', () => {
  const store = createInboxStore()
  const ids = ['a', 'b', 'c']
  const unread: number[] = []
  const inbox = { epoch: 'e', seq: 3, unread: 3, unopened: 3 }
  const shown = createShownReceipts(store, (handles, head) => {
    for (const handle of handles) store.settle(handle, head.seq)
    unread.push(store.counts(head).unread)
  })
  const message = { unopened: true, readAt: null, openedAt: null, archivedAt: null, snoozedUntil: null }
  const data = ids.map((id, at) => ({ ...message, id, seq: at + 1 }) as InboxMessage)
  store.addPage('all', { data, nextCursor: null, inbox }, true)
  const items = ids.slice(0, 2).map((id): RegisterItem => ({ ...read, messageId: id }))
  shown.show(items)
  shown.settle(items, { ...inbox, seq: 5, unread: 1 })
  expect(unread).toEqual([1])
})
