// Reads what sockets have missed, for all that ask within 10 ms: heads in one query, then changes in parts. When thousands of
// sockets come back at once, the store is asked a hundred times a second at most.

import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { InboxHead } from '../../contract/api.ts'
import type { CatchUps } from '../domain/delivery/catch-up.ts'
import type { ReadChanges } from '../domain/delivery/inbox-change.ts'
import type { Inboxes } from '../domain/message.ts'

/** Sockets that ask within this time share their queries. */
const GATHER_MS = 10
/** Users whose heads are read in one query. */
const SLICE = 500
/** Changes of one query, which are encoded in one turn of the loop; more only where one socket alone has missed more. */
const PART_CHANGES = 250

export interface Ask {
  userNo: number
  /** Null: only the head is read. */
  since: number | null
  /** The epoch of `since`; null where it is known to be the present one. */
  epoch: string | null
}

interface Asked extends Ask {
  resolve(read: ReadChanges): void
  reject(error: unknown): void
}
interface Behind {
  asked: Asked
  since: number
  /** How many changes it has missed. */
  count: number
}

export interface CatchUpDeps {
  inboxes: Pick<Inboxes, 'heads'>
  catchUps: CatchUps
}

/** @returns reads for one socket; it throws when the store cannot be read */
export function createCatchUp(deps: CatchUpDeps): (ask: Ask) => Promise<ReadChanges> {
  let waiting: Asked[] = []
  let isRunning = false

  async function run(): Promise<void> {
    for (;;) {
      await (waiting.length < SLICE ? delay(GATHER_MS) : setImmediate())
      if (waiting.length === 0) break
      const slice = waiting.slice(0, SLICE)
      waiting = waiting.slice(SLICE)
      await answerHeads(deps, slice)
    }
    isRunning = false
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...ask, resolve, reject })
      if (isRunning) return
      isRunning = true
      void run()
    })
}

/** Answers the sockets that have missed nothing, or too much; then the others. Never throws. */
async function answerHeads(deps: CatchUpDeps, slice: Asked[]): Promise<void> {
  let behind: Behind[]
  try {
    const heads = await deps.inboxes.heads([...new Set(slice.map(({ userNo }) => userNo))])
    behind = slice.flatMap((asked) => answerHead(asked, heads.get(asked.userNo)))
  } catch (error) {
    for (const asked of slice) asked.reject(error)
    return
  }
  for (const part of partsOf(behind)) {
    await answerPart(deps, part)
    await setImmediate()
  }
}

function answerHead(asked: Asked, head: InboxHead | undefined): Behind[] {
  const { since, epoch } = asked
  if (head === undefined) asked.reject(new Error('A head was not read.'))
  else if (since === null || since > head.seq || (epoch !== null && epoch !== head.epoch))
    asked.resolve({ head, changes: [], reset: true })
  else if (since === head.seq) asked.resolve({ head, changes: [], reset: false })
  else return [{ asked, since, count: head.seq - since }]
  return []
}

async function answerPart({ catchUps }: CatchUpDeps, part: Behind[]): Promise<void> {
  try {
    const reads = await catchUps.missed(part.map(({ asked: { userNo }, since }) => ({ userNo, since })))
    for (const [at, { asked }] of part.entries()) {
      const read = reads[at]
      if (read === undefined) asked.reject(new Error('A missed change was not read.'))
      else asked.resolve(read)
    }
  } catch (error) {
    for (const { asked } of part) asked.reject(error)
  }
}

/** Splits a list, in its order, so that each part has `PART_CHANGES` at most. */
export function partsOf<T extends { count: number }>(all: T[]): T[][] {
  const parts: T[][] = []
  let room = 0
  for (const one of all) {
    const last = parts.at(-1)
    if (last === undefined || one.count > room) {
      parts.push([one])
      room = PART_CHANGES - one.count
    } else {
      last.push(one)
      room -= one.count
    }
  }
  return parts
}
