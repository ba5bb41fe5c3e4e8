// The inbox of one signed-in user: store, log, connection, receipts and storage wired together (contract section 5). A part loaded after the badge.

import type { InboxHead, InboxMessage, MessagePatch, RegisterItem } from '../../contract/api.ts'
import type { InboxFrame } from '../../contract/frames.ts'
import { failureOf, isOutOfReach } from '../lib/failure.ts'
import type { SignedIn } from '../transport/session.ts'
import { type ChangeLog, createChangeLog } from './change-log.ts'
import { createConnection } from './connection.ts'
import type { CoreDeps, InboxCore, MessageChange } from './core-types.ts'
import { createInboxStore } from './inbox-store.ts'
import { createPager } from './pager.ts'
import { createReceipts } from './receipts.ts'
import { holdDrawer, inboxKey, openDrawer, receiptsKey, type StoredInbox, wipeForsaken } from './storage.ts'
import { listen } from './waking.ts'

/** What the calls that change a message answer. */
interface ChangeAnswer {
  inbox: InboxHead
  message?: InboxMessage
}

const STORED_MESSAGES = 100
const STORE_AFTER_MS = 500

/** Begins with what is stored of this user; `signedIn` is absent while the service is out of reach. */
export async function createInboxCore(deps: CoreDeps): Promise<InboxCore> {
  const { session, apiKey, ownerId, clock } = deps
  const key = inboxKey(apiKey, ownerId)
  const drawer = openDrawer()
  const store = createInboxStore()
  const release = holdDrawer(key)
  let log: ChangeLog = createChangeLog({ epoch: '', seq: 0, unread: 0, unopened: 0 })
  let userId: string | undefined
  /** Older messages come back with a cached list or a reset; they did not just arrive. */
  let arrivalFloor = Number.POSITIVE_INFINITY
  let storeTimer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const changed = (): void => {
    if (isOver) return
    deps.onChange()
    clearTimeout(storeTimer)
    storeTimer = setTimeout(() => void keep(), STORE_AFTER_MS)
  }
  const keep = async (): Promise<void> => {
    const list = store.toStored(STORED_MESSAGES)
    if (isOver || list === undefined || log.epoch === '') return
    const head = { epoch: log.epoch, seq: log.seq, ...log.counts }
    await drawer.set(key, { userId, head, list } satisfies StoredInbox)
  }
  const takeHead = (head: InboxHead): void => {
    if (!log.takeHead(head)) void connection.catchUp()
    changed()
  }

  const pager = createPager({
    call: session.call,
    store,
    onPage: (page) => takeHead(page.inbox),
    onChange: changed,
    onFailure: (failure) => {
      if (isOutOfReach(failure)) deps.onReach(false)
      deps.onFailure(failure)
    },
  })

  const receipts = createReceipts({
    drawer,
    key: receiptsKey(apiKey, ownerId),
    now: clock.now,
    send: (events, keepalive) =>
      session.call('POST', '/v1/notification/event/register', { body: { events }, keepalive }),
    onQueued: (items) => {
      for (const item of items) shownReceipts.set(item, store.begin([item.messageId], effectOf(item, clock.now())))
      changed()
    },
    onSettled: (items, answer) => {
      for (const [item, handle] of shownReceipts) {
        if (!items.some((sent) => sent.messageId === item.messageId && sent.eventType === item.eventType)) continue
        if (answer === undefined) store.rollback(handle)
        else store.confirm(handle)
        shownReceipts.delete(item)
      }
      if (answer !== undefined) takeHead(answer.inbox)
      changed()
    },
  })
  const shownReceipts = new Map<RegisterItem, number>()

  const onFrame = (frame: InboxFrame): boolean => {
    const verdict = log.take(frame)
    if (verdict.outcome === 'reset') {
      store.expire()
      void pager.load('all', true)
    }
    if (verdict.outcome === 'applied') {
      const { arrived, isStale } = store.apply(verdict.changes)
      if (isStale) void pager.load('all', true)
      const fresh = arrived.filter((message) => message.seq > arrivalFloor && message.archivedAt === null)
      changed()
      if (fresh.length > 0) deps.onArrive(fresh)
    }
    if (verdict.outcome !== 'gap') changed()
    return log.hasGap()
  }

  const connection = createConnection({
    session,
    loadRealtime: deps.loadRealtime,
    position: () => ({ epoch: log.epoch, seq: log.seq }),
    onFrame,
    onReach: (isReached) => {
      deps.onReach(isReached)
      // The first page may have been lost with the network.
      if (isReached && store.list('all') === undefined) void pager.load('all', true)
    },
  })

  /** Shows at once, asks the service, and takes it back when refused. Throws CallError. */
  const optimistic = async (handle: number, ask: () => Promise<ChangeAnswer>): Promise<void> => {
    changed()
    try {
      // What was read or opened before must not be counted after it.
      await receipts.flush()
      const answer = await ask()
      store.confirm(handle, answer.message)
      takeHead(answer.inbox)
    } catch (error) {
      store.rollback(handle)
      changed()
      deps.onFailure(failureOf(error))
      throw error
    }
  }

  const start = async ({ answer }: SignedIn): Promise<void> => {
    const isOther = userId !== undefined && userId !== answer.user.userId
    userId = answer.user.userId
    arrivalFloor = Math.min(arrivalFloor, answer.inbox.seq)
    if (isOther || log.epoch !== answer.inbox.epoch || store.list('all') === undefined) {
      store.clear()
      log = createChangeLog(answer.inbox)
      await pager.load('all', true)
    } else log.takeHead(answer.inbox)
    connection.start(answer.realtime)
    void receipts.flush()
    changed()
  }

  const stored = await drawer.get<StoredInbox>(key)
  if (stored !== undefined) {
    userId = stored.userId
    store.restore(stored.list)
    log = createChangeLog(stored.head)
  }
  void wipeForsaken(drawer, apiKey, key).catch(() => {})
  const endListening = typeof window === 'undefined' ? () => {} : listen(window, 'pagehide', receipts.sendBeforeLeaving)

  return {
    start,
    renewed: () => {
      connection.renewed()
      void receipts.flush()
    },
    isLoaded: () => store.list('all') !== undefined,
    counts: () => store.counts(log.counts),
    list: (filter) => store.list(filter),
    find: store.find,
    listState: pager.state,
    load: (filter) => pager.load(filter, store.list(filter) === undefined),
    refresh: async () => {
      await Promise.all([connection.catchUp(), pager.load('all', true), receipts.flush()])
    },
    record: receipts.record,
    change: (id, change) =>
      optimistic(store.begin([id], toPatch(change, clock.now())), () =>
        session.call('PATCH', `/v1/inbox/messages/${encodeURIComponent(id)}`, { body: change }),
      ),
    remove: (id) =>
      optimistic(store.begin([id], 'removed'), () =>
        session.call('DELETE', `/v1/inbox/messages/${encodeURIComponent(id)}`),
      ),
    markAllRead: () => {
      const { seq } = log
      return optimistic(store.begin([], {}, seq), () => session.call('POST', '/v1/inbox/read-all', { body: { seq } }))
    },
    stop: async ({ wipes, sends = wipes, endsSession = false }) => {
      isOver = true
      clearTimeout(storeTimer)
      endListening()
      connection.stop()
      receipts.stop()
      if (wipes) {
        await drawer.del(key)
        if (sends) await receipts.flush()
        await receipts.keepIdsOnly()
      }
      if (endsSession) await session.call('DELETE', '/v1/inbox/session').catch(ignoreUnreachable)
      release()
    },
  }
}

// A session that cannot be ended now ends by itself; the page is signed out all the same.
function ignoreUnreachable(error: unknown): void {
  if (!isOutOfReach(failureOf(error)) && failureOf(error).status !== 401) throw error
}

/** What a delivery event does to the message, before the service says so: a later one implies the earlier. */
function effectOf({ eventType, occurredAt }: RegisterItem, now: number): MessagePatch {
  const at = occurredAt ?? new Date(now).toISOString()
  if (eventType === 'read') return { readAt: at }
  return { readAt: at, openedAt: at, unopened: false, ...(eventType === 'clicked' && { clickedAt: at }) }
}

function toPatch({ archived, unopened, snoozedUntil }: MessageChange, now: number): MessagePatch {
  return {
    ...(archived !== undefined && { archivedAt: archived ? new Date(now).toISOString() : null }),
    ...(unopened !== undefined && { unopened }),
    ...(snoozedUntil !== undefined && { snoozedUntil }),
  }
}
