// What an inbox does, as `debug` sees it: it stands between the inbox and the world, and keeps the last events and where things stand.

import type { Watch } from '../../inbox/core-types.ts'
import type { Surroundings } from '../../inbox/surroundings.ts'
import { freshStanding, type Standing } from './standing.ts'
import { watchSurroundings } from './watch-browser.ts'
import { watchCall } from './watch-calls.ts'

/** Something that happened. Without words of a message, a token or a name of a person. */
export interface TraceLine {
  at: number
  text: string
}

export interface Trace {
  readonly watch: Watch
  readonly lines: readonly TraceLine[]
  readonly standing: Readonly<Standing>
  /** What the inbox has of the browser; undefined until it is there. */
  around(): Surroundings | undefined
  note(text: string): void
  /** A new inbox begins; what happened stays. */
  begin(): void
}

const MOST_LINES = 50

export function createTrace(now: () => number, onChange: () => void): Trace {
  const lines: TraceLine[] = []
  let around: Surroundings | undefined
  const standing: Standing = freshStanding(now())

  const note = (text: string): void => {
    lines.push({ at: now(), text })
    if (lines.length > MOST_LINES) lines.shift()
    onChange()
  }
  const watching = { now, note, standing }
  return {
    lines,
    standing,
    note,
    around: () => around,
    begin: () => {
      around = undefined
      Object.assign(standing, freshStanding(now()))
    },
    watch: {
      call: (call) => watchCall(call, watching),
      around: (plain) => {
        around = watchSurroundings(plain, watching)
        return around
      },
      partFailed: (reason) => {
        standing.partFailure = reason
        note(`a part of the element threw: ${reason}`)
      },
      signInIn: (delayMs) => {
        standing.signInAgainAt = now() + delayMs
        onChange()
      },
    },
  }
}
