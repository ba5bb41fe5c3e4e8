// Queues delivery events: stored until the server has them, sent in order, once, in batches.

import type { InboxHead, RegisterAnswer, RegisterItem } from '../../../contract/api.ts'
import type { RegisteredEventType } from '../../../contract/delivery.ts'
import { INBOX_LIMITS } from '../../../contract/limits.ts'
import { reconnectDelayMs } from '../../lib/delays.ts'
import { failureOf, isOutOfReach } from '../../lib/failure.ts'
import type { Locks } from '../core-types.ts'
import type { InboxStorage } from '../storage.ts'

export interface Receipts {
  /**
   * Records the event once for each message; a second time only when that changes something.
   * `urgent` sends at once: the page may be left.
   */
  record(messageIds: string[], eventType: RegisteredEventType, details?: { link?: string; urgent?: boolean }): void
  /** Sends what waits; settles when that was tried. */
  flush(): Promise<void>
  /** @returns names of the events of all tabs that are not settled; undefined when the storage does not answer */
  listUnsettled(): Promise<Set<string> | undefined>
  /** Sends from memory, in calls that outlive the page. The next page finds the rest in the storage. */
  sendBeforeLeaving(): void
  /** Removes the links: only IDs stay of a user who signed out. */
  keepIdsOnly(): Promise<void>
  stop(): void
}

export interface ReceiptsDeps {
  storage: InboxStorage
  locks: Pick<Locks, 'request'>
  key: string
  /** Registers a batch. Throws CallError. */
  send: (events: RegisterItem[]) => Promise<RegisterAnswer>
  /** The server's time in epoch ms. */
  now: () => number
  /** An event that was recorded before happens again and changes something: the message was marked as unread since. */
  isAgain: (item: RegisterItem) => boolean | undefined
  /** Recorded here, or found in the storage: to be shown. */
  onQueued: (items: RegisterItem[]) => void
  /** Events of this page are stored, or are being stored while it goes: they are sent even when the page is gone. */
  onStored: (items: RegisterItem[]) => void
  /** The server has answered these (without a head it refused the batch as a whole). */
  onSettled: (items: RegisterItem[], head: InboxHead | undefined) => void
  /** A flush has ended, whether it sent something or not. */
  onTried: () => void
}

const GATHER_MS = 250
/** An event has about 150 bytes, and a large call does not outlive the page. */
const MAX_LAST_EVENTS = 100

/** Identifies an event of a message: it is sent once. */
export const nameOf = ({ messageId, eventType }: RegisterItem): string => `${eventType}|${messageId}`

export function createReceipts(deps: ReceiptsDeps): Receipts {
  const { storage, key } = deps
  const read = () => storage.get<RegisterItem[]>(key)
  const update = (change: (old?: RegisterItem[]) => RegisterItem[] | undefined) => storage.update(key, change)
  const recorded = new Set<string>()
  /** Recorded by this page and not yet settled. */
  let unsent: RegisterItem[] = []
  /** Recorded and not yet stored. */
  const unwritten: RegisterItem[] = []
  /** Writes to the storage, one after the other. */
  let writing: Promise<unknown> = resume()
  let flushing = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isStopped = false

  async function resume(): Promise<void> {
    const stored = (await read()) ?? []
    if (stored.length === 0 || isStopped) return
    for (const item of stored) recorded.add(nameOf(item))
    deps.onQueued(stored)
    flushIn(0)
  }

  function flushIn(delayMs: number): void {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void flush(), delayMs)
  }

  /** One write takes all events that were recorded before it. */
  const write = async (): Promise<void> => {
    if (unwritten.length === 0) return
    const items = [...unwritten]
    await update((old = []) => {
      const stored = new Set(old.map(nameOf))
      return [...old, ...items.filter((item) => !stored.has(nameOf(item)))]
    })
    unwritten.splice(0, items.length)
    deps.onStored(items)
  }

  const settle = async (batch: RegisterItem[], head: InboxHead | undefined): Promise<void> => {
    const settled = new Set(batch.map(nameOf))
    unsent = unsent.filter((item) => !settled.has(nameOf(item)))
    deps.onSettled(batch, head)
    // An empty queue stays until the user is gone: a missing one may mean that the storage does not answer.
    await update((old) => old?.filter((item) => !settled.has(nameOf(item))))
  }

  // Under a lock of the queue's name, so that two tabs do not send the same event at the same time.
  const sendAll = async (): Promise<void> => {
    for (;;) {
      const batch = ((await read()) ?? []).slice(0, INBOX_LIMITS.registerEvents)
      if (batch.length === 0) return
      try {
        const { inbox } = await deps.send(batch)
        // A portal or proxy answers 200 to any call: the server has not seen these events.
        if (!inbox) throw new Error('refused')
        await settle(batch, inbox)
      } catch (error) {
        const failure = failureOf(error)
        // 401 and 403 wait for another sign-in. Any other refusal of a batch is final.
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

  const listUnsettled = async (): Promise<Set<string> | undefined> => {
    const before = new Set(unsent)
    const coming = [...unwritten]
    const stored = await read()
    if (stored === undefined) return undefined
    const names = new Set([...stored, ...coming].map(nameOf))
    // Another tab may have sent events of this one, and its message about that was lost.
    unsent = unsent.filter((item) => names.has(nameOf(item)) || !before.has(item))
    return names
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    // One after the other: a caller during a flush gets one that includes its event.
    flushing = flushing.then(flushOnce)
    return flushing
  }

  return {
    flush,
    listUnsettled,
    record: (messageIds, eventType, { link, urgent } = {}) => {
      const occurredAt = new Date(deps.now()).toISOString()
      const items = messageIds
        .map((messageId): RegisterItem => ({ messageId, eventType, occurredAt, link }))
        // The set grows by a name that it did not have.
        .filter((item) => recorded.size < recorded.add(nameOf(item)).size || deps.isAgain(item))
      if (!items.length) return
      unsent.push(...items)
      deps.onQueued(items)
      unwritten.push(...items)
      writing = writing.then(write)
      if (urgent) void flush()
      else if (failures === 0) flushIn(GATHER_MS)
    },
    sendBeforeLeaving: () => {
      if (unsent.length === 0) return
      // A page can be gone between a write and the end of `write`: the tab that leads would not hear of it.
      deps.onStored(unsent)
      void deps.send(unsent.slice(0, MAX_LAST_EVENTS)).catch(() => {})
    },
    keepIdsOnly: async () => {
      await writing
      // An empty queue goes: its key names the user.
      await update((old) => (old?.length ? old.map(({ link: _link, ...ids }) => ids) : undefined))
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
