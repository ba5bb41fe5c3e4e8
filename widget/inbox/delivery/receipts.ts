// The queue of delivery events: kept on disk until the service has them, sent in order, once, in batches.

import type { InboxHead, RegisterAnswer, RegisterItem } from '../../../contract/api.ts'
import type { RegisteredEventType } from '../../../contract/delivery.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { reconnectDelayMs } from '../../lib/delays.ts'
import { failureOf, isOutOfReach } from '../../lib/failure.ts'
import type { Drawer } from '../storage.ts'
import type { Locks } from '../surroundings.ts'
import { nameOf } from './shown-receipts.ts'

export interface Receipts {
  /** Notes that it happened to each, and tells it once; a second time is told when it changes something. `urgent` sends at once, for what may leave the page. */
  record(messageIds: string[], eventType: RegisteredEventType, details?: { link?: string; urgent?: boolean }): void
  /** Sends what waits; settles when that was tried. */
  flush(): Promise<void>
  /** Names what is not yet settled, of this tab or any other; undefined when the disk cannot tell. */
  left(): Promise<Set<string> | undefined>
  /** The page goes: sends from memory in calls that outlive it. What they miss is on disk. */
  sendBeforeLeaving(): void
  /** Forgets the links: what stays for a signed-out user is ids only. */
  keepIdsOnly(): Promise<void>
  stop(): void
}

export interface ReceiptsDeps {
  drawer: Drawer
  locks: Pick<Locks, 'request'>
  key: string
  /** Registers a batch. Throws CallError. */
  send: (events: RegisterItem[]) => Promise<RegisterAnswer>
  /** The service's time in epoch ms. */
  now: () => number
  /** Noted before, it happens again and changes something: what was opened had been marked as unread. */
  isAgain: (item: RegisterItem) => boolean | undefined
  /** Something was noted here or found on disk: show it. */
  onQueued: (items: RegisterItem[]) => void
  /** What was noted here is on disk: whatever becomes of this page, it goes out. */
  onKept: (items: RegisterItem[]) => void
  /** The service has answered for these (without a head it refused the batch as a whole). */
  onSettled: (items: RegisterItem[], head: InboxHead | undefined) => void
  /** What waits was sent, or not: `left` tells. */
  onTried: () => void
}

const GATHER_MS = 250
/** An event has about 150 bytes, and a large call does not outlive the page. */
const LAST_EVENTS = 100

/** An empty queue leaves nothing behind: its key names the user. */
const keptOf = (items: RegisterItem[] = []): RegisterItem[] | undefined => (items.length > 0 ? items : undefined)

export function createReceipts(deps: ReceiptsDeps): Receipts {
  const { drawer, key } = deps
  const noted = new Set<string>()
  /** Noted by this page and not yet settled. */
  let unsent: RegisterItem[] = []
  /** Noted and not yet on disk. */
  const unwritten: RegisterItem[] = []
  /** Writes to disk, one after the other. */
  let writing: Promise<unknown> = resume()
  let flushing = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let stopped = false

  async function resume(): Promise<void> {
    const left = (await drawer.get<RegisterItem[]>(key)) ?? []
    if (left.length === 0 || stopped) return
    for (const item of left) noted.add(nameOf(item))
    deps.onQueued(left)
    flushIn(0)
  }

  function flushIn(delayMs: number): void {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(() => void flush(), delayMs)
  }

  /** One write takes all that was noted before it. */
  const write = async (): Promise<void> => {
    if (unwritten.length === 0) return
    const items = [...unwritten]
    await drawer.update<RegisterItem[]>(key, (old = []) => {
      const waiting = new Set(old.map(nameOf))
      return [...old, ...items.filter((item) => !waiting.has(nameOf(item)))]
    })
    unwritten.splice(0, items.length)
    deps.onKept(items)
  }

  const settle = async (batch: RegisterItem[], head: InboxHead | undefined): Promise<void> => {
    const settled = new Set(batch.map(nameOf))
    unsent = unsent.filter((item) => !settled.has(nameOf(item)))
    deps.onSettled(batch, head)
    // Empty, it stays until the user is gone: where there is no key, the disk may only be silent.
    await drawer.update<RegisterItem[]>(key, (old) => old?.filter((item) => !settled.has(nameOf(item))))
  }

  // Under a lock of the queue's name, so that two tabs do not send the same event at the same time.
  const sendAll = async (): Promise<void> => {
    for (;;) {
      const batch = ((await drawer.get<RegisterItem[]>(key)) ?? []).slice(0, LIMITS.registerEvents)
      if (batch.length === 0) return
      try {
        const { inbox } = await deps.send(batch)
        // A portal or proxy answers 200 to anything: the service has not seen these.
        if (!inbox) throw new Error('refused')
        await settle(batch, inbox)
      } catch (error) {
        const failure = failureOf(error)
        // A batch that the service cannot read now will not become readable; 401 and 403 wait for another sign-in.
        if (isOutOfReach(failure) || failure.status === 401 || failure.status === 403) throw error
        await settle(batch, undefined)
      }
    }
  }

  const flushOnce = async (): Promise<void> => {
    await writing
    try {
      await deps.locks.request(key, {}, sendAll)
      failures = 0
    } catch (error) {
      const failure = failureOf(error)
      if (isOutOfReach(failure)) flushIn(failure.retryAfterMs ?? reconnectDelayMs(failures++))
    }
    deps.onTried()
  }

  /** Another tab may have sent what this one noted, and its word of that was lost: then nothing of it is left here. */
  const left = async (): Promise<Set<string> | undefined> => {
    const asked = new Set(unsent)
    const coming = [...unwritten]
    const kept = await drawer.get<RegisterItem[]>(key)
    if (kept === undefined) return undefined
    const names = new Set([...kept, ...coming].map(nameOf))
    unsent = unsent.filter((item) => names.has(nameOf(item)) || !asked.has(item))
    return names
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    // One at a time; who asks while one runs gets a run that sees its event too.
    flushing = flushing.then(flushOnce)
    return flushing
  }

  return {
    flush,
    left,
    record: (messageIds, eventType, { link, urgent } = {}) => {
      const occurredAt = new Date(deps.now()).toISOString()
      const items = messageIds
        .map((messageId): RegisterItem => ({ messageId, eventType, occurredAt, link }))
        // A set that grows did not have it.
        .filter((item) => noted.size < noted.add(nameOf(item)).size || deps.isAgain(item))
      if (!items.length) return
      unsent.push(...items)
      deps.onQueued(items)
      unwritten.push(...items)
      writing = writing.then(write)
      if (urgent) void flush()
      else if (failures === 0) flushIn(GATHER_MS)
    },
    sendBeforeLeaving: () => {
      if (unsent.length > 0) void deps.send(unsent.slice(0, LAST_EVENTS)).catch(() => {})
    },
    keepIdsOnly: async () => {
      await writing
      await drawer.update<RegisterItem[]>(key, (old) => keptOf(old?.map(({ link: _link, ...ids }) => ids)))
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
