// Records what a crash test sent and the answers, and compares this with the stored messages.

import { createRandom as createRandomChoices } from '../../lib/random.ts'

export type Entry = {
  /** Number of the event, unique in a run and part of its idempotency key. */
  number: number
  userIds: string[]
  /** Name of an event other than the load's own. */
  name?: string
  /** The entry that it refers to. */
  of?: number
  /** `ok`: answered 202; `fail`: refused, so no message may exist; `unknown`: no answer. */
  state: 'ok' | 'fail' | 'unknown'
  eventId: string | null
}

export interface Difference {
  lost: string[]
  doubled: string[]
  phantom: string[]
}

/** Returns one mark per (user, event) that must exist. @throws while an entry is unknown */
export function expectedMarks(entries: Iterable<Entry>): string[] {
  return [...entries].flatMap(({ number, userIds, state }) => {
    if (state === 'unknown') throw new Error(`event ${number} is still unknown`)
    return state === 'ok' ? userIds.map((userId) => `${userId} ${number}`) : []
  })
}

/** Compares two lists of marks: each expected one must exist once, and no other. */
export function compareMarks(expected: string[], actual: string[]): Difference {
  const counts = new Map<string, number>()
  for (const mark of actual) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  const wanted = new Set(expected)
  return {
    lost: [...wanted].filter((mark) => !counts.has(mark)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([mark]) => mark),
    phantom: [...counts.keys()].filter((mark) => !wanted.has(mark)),
  }
}

/** Returns numbers from 0 to 1, the same for the same seed (mulberry32). */
export const createRandom = (seed: number): (() => number) => createRandomChoices(seed).next
