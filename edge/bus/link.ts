// Joins two connections to Redis, the publisher and the subscriber, into one link that is up or down. A heartbeat from one to the
// other proves both: when three in a row are missed, or either closes, both are closed and opened again.

import { HEARTBEAT } from './wire.ts'

/** One connection to Redis. It does not reconnect by itself; commands on a closed one reject. */
export interface Connection {
  connect(): Promise<void>
  publish(channel: string, text: string): Promise<unknown>
  subscribe(...channels: string[]): Promise<unknown>
  unsubscribe(...channels: string[]): Promise<unknown>
  onText(listener: (text: string) => void): void
  /** Called once, also when the connection could not be opened. */
  onClose(listener: (reason: string) => void): void
  close(): void
}

export interface LinkDeps {
  openConnection(): Connection
  /** This node's own channel, for the heartbeat. */
  ownChannel: string
  /** Subscribes the channels of this node, before the link counts as up. */
  prepare(subscriber: Connection): Promise<void>
  onText(text: string): void
  onUp(): void
  onDown(reason: string): void
  /** Called with each heartbeat that arrives. */
  onHeartbeat(): void
}

export interface Link {
  open(): void
  /** The connection that publishes; undefined while the link is down. */
  publisher(): Connection | undefined
  fail(reason: string): void
  close(): void
}

const HEARTBEAT_MS = 500
/** Counted, not timed: after seconds of a busy loop Redis must not look lost. */
const MAX_MISSED = 3
const OPEN_MS = 3000
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 1000

interface Pair {
  publisher: Connection
  subscriber: Connection
  isUp: boolean
}

export function createLink(deps: LinkDeps): Link {
  let pair: Pair | undefined
  let timer: NodeJS.Timeout | undefined
  let pauseMs = FIRST_PAUSE_MS
  let missed = 0
  let isClosed = false

  function drop(lost: Pair, reason: string): void {
    if (pair !== lost) return
    pair = undefined
    clearTimeout(timer)
    lost.publisher.close()
    lost.subscriber.close()
    deps.onDown(reason)
    if (isClosed) return
    timer = setTimeout(open, pauseMs * (0.75 + Math.random() / 2))
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
  }

  function receive(from: Pair, text: string): void {
    if (pair !== from) return
    if (text !== HEARTBEAT) deps.onText(text)
    else {
      missed = 0
      if (from.isUp) deps.onHeartbeat()
      else {
        from.isUp = true
        pauseMs = FIRST_PAUSE_MS
        deps.onUp()
      }
    }
  }

  function sendHeartbeat(current: Pair): void {
    if (pair !== current) return
    if (missed >= MAX_MISSED) drop(current, 'no answer')
    else {
      missed++
      current.publisher.publish(deps.ownChannel, HEARTBEAT).catch(() => drop(current, 'publish refused'))
      timer = setTimeout(sendHeartbeat, HEARTBEAT_MS, current)
    }
  }

  async function prepare(opened: Pair): Promise<void> {
    await Promise.all([opened.publisher.connect(), opened.subscriber.connect()])
    await deps.prepare(opened.subscriber)
    if (pair !== opened) return
    clearTimeout(timer)
    missed = 0
    sendHeartbeat(opened)
  }

  function open(): void {
    const opened: Pair = { publisher: deps.openConnection(), subscriber: deps.openConnection(), isUp: false }
    pair = opened
    opened.subscriber.onText((text) => receive(opened, text))
    for (const connection of [opened.publisher, opened.subscriber]) connection.onClose((reason) => drop(opened, reason))
    timer = setTimeout(drop, OPEN_MS, opened, 'connect timed out')
    prepare(opened).catch((error: unknown) => drop(opened, error instanceof Error ? error.message : 'unknown'))
  }

  return {
    open,
    publisher: () => (pair?.isUp === true ? pair.publisher : undefined),
    fail(reason) {
      if (pair !== undefined) drop(pair, reason)
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      if (pair !== undefined) drop(pair, 'closed')
    },
  }
}
