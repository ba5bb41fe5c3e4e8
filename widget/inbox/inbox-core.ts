// The inbox of one signed-in user: store, log, connection, receipts and storage wired together (contract section 5). A part loaded after the badge.

import type { InboxHead, RegisterAnswer } from '../../contract/api.ts'
import type { InboxFrame } from '../../contract/frames.ts'
import { type Failure, failureOf, isOutOfReach } from '../lib/failure.ts'
import type { SignedIn } from '../transport/session.ts'
import { type ChangeLog, createChangeLog } from './change-log.ts'
import { createConnection } from './connection.ts'
import type { CoreDeps, InboxCore } from './core-types.ts'
import { createInboxStore, type InboxStore } from './inbox-store.ts'
import { createKeeper } from './keeper.ts'
import { createDeeds } from './message-deeds.ts'
import { createPager } from './pager.ts'
import { createReceipts, type Receipts } from './receipts.ts'
import { createShownReceipts } from './shown-receipts.ts'
import { type Drawer, openDrawer, receiptsKey } from './storage.ts'
import { listen } from './waking.ts'

/** Begins with what is stored of this user; `signedIn` is absent while the service is out of reach. */
export async function createInboxCore(deps: CoreDeps): Promise<InboxCore> {
  const { session, apiKey, ownerId, clock } = deps
  const drawer = openDrawer()
  const store = createInboxStore()
  let log: ChangeLog = createChangeLog({ epoch: '', seq: 0, unread: 0, unopened: 0 })
  let userId: string | undefined
  /** Older messages come back with a cached list or a reset; they did not just arrive. */
  let arrivalFloor = Number.POSITIVE_INFINITY
  let isOver = false

  const keeper = createKeeper({ drawer, apiKey, ownerId, store }, () => ({
    userId,
    head: { epoch: log.epoch, seq: log.seq, ...log.counts },
  }))
  const changed = (): void => {
    if (isOver) return
    deps.onChange()
    keeper.keepSoon()
  }
  const takeHead = (head: InboxHead): void => {
    if (!log.takeHead(head)) void connection.catchUp()
    changed()
  }

  const failed = (failure: Failure): void => {
    if (isOutOfReach(failure)) deps.onReach(false)
    deps.onFailure(failure)
  }
  const around = { store, call: session.call, onChange: changed, onHead: takeHead, onFailure: failed }
  const pager = createPager(around)
  const receipts = createCoreReceipts(deps, drawer, store, (answer) => {
    if (answer === undefined) changed()
    else takeHead(answer.inbox)
  })

  const connection = createConnection({
    session,
    position: () => ({ epoch: log.epoch, seq: log.seq }),
    onFrame: (frame) => {
      const { isRereadDue, fresh } = takeFrame(frame, log, store)
      if (isRereadDue) void pager.load('all', true)
      changed()
      const arrived = fresh.filter((message) => message.seq > arrivalFloor)
      if (arrived.length > 0) deps.onArrive(arrived)
      return log.hasGap()
    },
    onReach: (isReached) => {
      deps.onReach(isReached)
      // The first page may have been lost with the network.
      if (isReached && store.list('all') === undefined) void pager.load('all', true)
    },
  })

  const deeds = createDeeds({ ...around, now: clock.now, seq: () => log.seq, flush: receipts.flush })

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

  const stored = await keeper.read()
  if (stored !== undefined) {
    userId = stored.userId
    store.restore(stored.list)
    log = createChangeLog(stored.head)
  }
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
    call: session.call,
    record: receipts.record,
    ...deeds,
    stop: async ({ wipes, sends = wipes, endsSession = false }) => {
      isOver = true
      for (const each of [keeper, connection, receipts]) each.stop()
      endListening()
      if (wipes) {
        await keeper.wipe()
        if (sends) await receipts.flush()
        await receipts.keepIdsOnly()
      }
      if (endsSession) await session.call('DELETE', '/v1/inbox/session').catch(ignoreUnreachable)
      keeper.release()
    },
  }
}

/** Brings the frame's changes into the store; `fresh` are messages that this page did not know, oldest first. */
function takeFrame(frame: InboxFrame, log: ChangeLog, store: InboxStore) {
  const verdict = log.take(frame)
  if (verdict.outcome === 'reset') store.expire()
  if (verdict.outcome !== 'applied') return { isRereadDue: verdict.outcome === 'reset', fresh: [] }
  const { arrived, isStale } = store.apply(verdict.changes)
  return { isRereadDue: isStale, fresh: arrived.filter(({ archivedAt }) => archivedAt === null) }
}

/** The queue of delivery events, shown in the list and the badge while they are on their way. */
function createCoreReceipts(
  { session, apiKey, ownerId, clock }: CoreDeps,
  drawer: Drawer,
  store: InboxStore,
  onChange: (answer?: RegisterAnswer) => void,
): Receipts {
  const shown = createShownReceipts(store, clock.now)
  return createReceipts({
    drawer,
    key: receiptsKey(apiKey, ownerId),
    now: clock.now,
    send: (events, keepalive) =>
      session.call('POST', '/v1/notification/event/register', { body: { events }, keepalive }),
    onQueued: (items) => {
      shown.queued(items)
      onChange()
    },
    onSettled: (items, answer) => {
      shown.settled(items, answer)
      onChange(answer)
    },
  })
}

// A session that cannot be ended now ends by itself; the page is signed out all the same.
function ignoreUnreachable(error: unknown): void {
  if (!isOutOfReach(failureOf(error)) && failureOf(error).status !== 401) throw error
}
