// The two connections to Redis as one thing that is up or down. A beat that this node sends through one and hears by the
// other proves both; when three in a row are not heard, or either closes, both are given up and opened anew.

import { BEAT } from './wire.ts'

/** One connection. None reconnects by itself, and commands on a closed one reject. */
export interface Line {
  connect(): Promise<void>
  publish(channel: string, text: string): Promise<unknown>
  subscribe(...channels: string[]): Promise<unknown>
  unsubscribe(...channels: string[]): Promise<unknown>
  onText(listener: (text: string) => void): void
  /** Called once, also when it never came to be. */
  onClose(listener: (reason: string) => void): void
  close(): void
}

export interface LinkDeps {
  openLine(): Line
  /** This node's own channel, for the beat. */
  ownChannel: string
  /** Subscribes all that this node wants to hear, before the link counts as up. */
  prepare(ear: Line): Promise<void>
  onText(text: string): void
  onUp(): void
  onDown(reason: string): void
  /** With each beat that was heard. */
  onBeat(): void
}

export interface Link {
  open(): void
  /** Undefined while it is down. */
  mouth(): Line | undefined
  fail(reason: string): void
  close(): void
}

const BEAT_MS = 500
/** Counted and not timed: a loop that was busy for seconds must not take itself for a lost Redis. */
const MOST_UNHEARD = 3
const OPEN_MS = 3000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1000

interface Pair {
  mouth: Line
  ear: Line
  isUp: boolean
}

export function createLink(deps: LinkDeps): Link {
  let pair: Pair | undefined
  let timer: NodeJS.Timeout | undefined
  let pauseMs = FIRST_PAUSE_MS
  let unheard = 0
  let isClosed = false

  function drop(lost: Pair, reason: string): void {
    if (pair !== lost) return
    pair = undefined
    clearTimeout(timer)
    lost.mouth.close()
    lost.ear.close()
    deps.onDown(reason)
    if (isClosed) return
    timer = setTimeout(open, pauseMs * (0.75 + Math.random() / 2))
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  function hear(from: Pair, text: string): void {
    if (pair !== from) return
    if (text !== BEAT) deps.onText(text)
    else {
      unheard = 0
      if (from.isUp) deps.onBeat()
      else {
        from.isUp = true
        pauseMs = FIRST_PAUSE_MS
        deps.onUp()
      }
    }
  }

  function beat(current: Pair): void {
    if (pair !== current) return
    if (unheard >= MOST_UNHEARD) drop(current, 'it does not answer')
    else {
      unheard++
      current.mouth.publish(deps.ownChannel, BEAT).catch(() => drop(current, 'it refuses to publish'))
      timer = setTimeout(beat, BEAT_MS, current)
    }
  }

  async function prepare(opened: Pair): Promise<void> {
    await Promise.all([opened.mouth.connect(), opened.ear.connect()])
    await deps.prepare(opened.ear)
    if (pair !== opened) return
    clearTimeout(timer)
    unheard = 0
    beat(opened)
  }

  function open(): void {
    const opened: Pair = { mouth: deps.openLine(), ear: deps.openLine(), isUp: false }
    pair = opened
    opened.ear.onText((text) => hear(opened, text))
    for (const line of [opened.mouth, opened.ear]) line.onClose((reason) => drop(opened, reason))
    timer = setTimeout(drop, OPEN_MS, opened, 'it could not be reached in time')
    prepare(opened).catch((error: unknown) => drop(opened, error instanceof Error ? error.message : 'unknown'))
  }

  return {
    open,
    mouth: () => (pair?.isUp === true ? pair.mouth : undefined),
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
