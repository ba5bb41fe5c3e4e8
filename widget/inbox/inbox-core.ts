// The inbox of one signed-in user: store, log, connection, receipts and storage wired together. A part loaded after the badge.

import type { InboxHead } from '../../contract/api.ts'
import type { InboxFrame } from '../../contract/frames.ts'
import { firstAskDelayMs } from '../lib/delays.ts'
import { type Failure, isOutOfReach } from '../lib/failure.ts'
import type { Known, SignedIn } from '../transport/session.ts'
import { browserApis } from './browser-apis.ts'
import { inboxKey } from './cached-counts.ts'
import type { ChangeLog } from './change-log.ts'
import type { CoreDeps, InboxCore } from './core-types.ts'
import { createDeliveryQueue } from './delivery/delivery-queue.ts'
import { createLocalLog } from './local-log.ts'
import { createMessageActions } from './message-actions.ts'
import type { PageState } from './page-lifecycle.ts'
import { createPager } from './pager.ts'
import { createPersistence, receiptsKey, wipeAbandoned } from './persistence.ts'
import { createConnection } from './sync/connection.ts'
import type { TabMessage } from './sync/tab-message.ts'

/** Begins with what is stored of this user; `signedIn` is absent while the service is out of reach. */
export async function createInboxCore(deps: CoreDeps, plain = browserApis(deps)): Promise<InboxCore> {
  const browser = deps.watch?.browser(plain) ?? plain
  const [{ call }, { now }] = [deps.session, deps.clock]
  const owner = [deps.apiKey, deps.baseUrl, deps.ownerId] as const
  const key = inboxKey(...owner)
  const local = createLocalLog(now)
  const { store } = local
  let [userId, known]: [string?, Known?] = []
  /** Older messages come back with a cached list or a reset; they did not just arrive. */
  let arrivalFloor = Number.POSITIVE_INFINITY
  /** `failed`: calls, one after the other. */
  let [isOver, failed] = [false, 0]
  const expiry = createTimer()

  const persistence = createPersistence(browser.storage, key, local.shown, (max) => {
    return connection.isLeading() ? local.toStored(max, userId) : undefined
  })
  const onChange = (): void => {
    if (isOver) return
    deps.onChange()
    persistence.saveSoon()
    expiry.set(onChange, store.nextExpiry() - now())
  }
  const onHead = (head: InboxHead): void => {
    failed = 0
    if (local.log.takeHead(head)) connection.expect(head.seq)
    else void connection.catchUp()
    onChange()
  }
  const onSettled = (handles: number[], head: InboxHead): void => {
    for (const handle of handles) local.settle(handle, head)
    onHead(head)
  }
  const onFailure = (failure: Failure, isFinal?: boolean): void => {
    if (isOver) return
    if (isOutOfReach(failure)) {
      deps.onReach(false, failure)
      connection.probe(firstAskDelayMs() * Math.min(++failed, 4))
    }
    deps.onFailure(failure, isFinal)
  }
  const parts = { browser, store, call, now, onChange, onHead, onSettled, onFailure }
  const pager = createPager({ ...parts, mayTake: local.mayTake, catchUp: () => connection.catchUp() })
  const receipts = createDeliveryQueue({ ...parts, key: receiptsKey(...owner), post: (it) => connection.publish(it) })
  const actions = createMessageActions({ ...parts, seq: () => local.log.seq, flush: receipts.flush })

  const onFrame = (frame: InboxFrame): boolean => {
    const { due, fresh, hasGap } = local.take(frame, pager.asked())
    for (const filter of due) void pager.load(filter, true)
    receipts.review()
    onChange()
    const arrived = fresh.filter((message) => message.seq > arrivalFloor)
    if (arrived.length > 0) deps.onArrive(arrived)
    return hasGap
  }
  const onReach = (isReached: boolean, failure?: Failure): void => {
    deps.onReach(isReached, failure)
    if (isReached) pager.retry()
  }
  const answerJoin = (to: string, isLive: boolean) => joinedAnswer(to, deps, local.log, isLive ? known : undefined)
  const toward = { name: key, log: () => local.log, onLead: () => void receipts.flush(), onMessage: receipts.receive }
  const connection = createConnection({ ...deps, ...toward, answerJoin, browser, onFrame, onReach })

  const start = async ({ answer }: SignedIn): Promise<void> => {
    const isOther = userId !== undefined && userId !== answer.user.userId
    userId = answer.user.userId
    known = answer
    arrivalFloor = Math.min(arrivalFloor, answer.inbox.seq)
    if (isOther || local.log.epoch !== answer.inbox.epoch || store.list('all') === undefined) {
      local.begin(answer.inbox)
      await pager.load('all', true)
    } else local.log.takeHead(answer.inbox)
    if (isOver) return
    connection.start(answer.realtime)
    void receipts.flush()
    onChange()
  }

  const page = (state: PageState): void => {
    actions.leaving(state === 'leave')
    if (state === 'leave') {
      receipts.sendBeforeLeaving()
      persistence.saveNow()
    } else void receipts.flush()
    if (state === 'wake' || state === 'back') void receipts.reconcile()
    connection.page(state)
    if (state !== 'leave') deps.onWake()
  }

  const stop: InboxCore['stop'] = async ({ wipes, sends = true }) => {
    // While it still leads: who does not lead keeps nothing.
    if (!wipes) persistence.saveNow()
    isOver = true
    endWatch()
    for (const each of [persistence, connection, receipts, expiry]) each.stop()
    if (wipes) await persistence.wipe()
    if (sends) await receipts.flush()
    if (wipes) await receipts.keepIdsOnly()
  }

  const stored = await persistence.read()
  if (stored !== undefined) {
    userId = stored.userId
    local.restore(stored)
  }
  const endWatch = browser.watchPage(page)
  void browser.locks.names().then((live) => {
    if (live && !isOver) void wipeAbandoned(browser.storage, live, [...owner])
  })

  return {
    start,
    isLoaded: () => store.list('all') !== undefined,
    counts: local.counts,
    position: () => local.log,
    list: store.list,
    find: store.find,
    listState: pager.state,
    load: (filter) => pager.load(filter, store.list(filter) === undefined),
    refresh: async () => {
      await Promise.all([connection.catchUp(), pager.load('all', true), receipts.flush()])
    },
    call,
    record: (ids, type, how) => {
      const note = () => receipts.record(ids, type, how)
      // Opened again: after the mark as unread that may be on its way.
      if (type === 'opened' && store.find(ids[0] ?? '')?.openedAt) void actions.done().then(note)
      else note()
    },
    ...actions,
    stop,
  }
}

/** A page that begins need not ask the service for what this one hears from it. */
function joinedAnswer(
  to: string,
  { prove, clock }: CoreDeps,
  { epoch, seq, counts }: ChangeLog,
  known: Known | undefined,
): TabMessage {
  if (known === undefined || to !== prove()) return { kind: 'joined', to }
  return { kind: 'joined', to, known: { ...known, now: clock.now(), inbox: { epoch, seq, ...counts } } }
}

/** A timer that each `set` begins anew; a time that timers cannot hold waits for a later `set`. */
function createTimer(): { set(onDue: () => void, inMs: number): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    set: (onDue, inMs) => {
      clearTimeout(timer)
      if (inMs < 2 ** 31) timer = setTimeout(onDue, inMs)
    },
    stop: () => clearTimeout(timer),
  }
}
