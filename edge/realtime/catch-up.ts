// Reads missed changes for all sockets that request them within 10 ms: heads in one query, then changes in parts.
// When thousands of sockets connect again at once, the store gets at most a hundred head queries a second.

import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { InboxHead } from '../../contract/api.ts'
import type { Core } from '../domain/core.ts'
import type { ReadChanges } from '../domain/delivery/inbox-change.ts'
import type { InboxOwner } from '../domain/message.ts'

/** Requests within this time share their queries. */
const GATHER_MS = 10
/** Users whose heads are read in one query. */
const SLICE = 500
/** Changes of one query, which one turn of the event loop encodes. A socket that missed more has its own query. */
const PART_CHANGES = 250

export interface CatchUpRequest extends InboxOwner {
  /** Null: only the head is read. */
  since: number | null
  /** The epoch of `since`; null: the current one. */
  epoch: string | null
}

interface PendingRequest extends CatchUpRequest {
  resolve(read: ReadChanges): void
  reject(error: unknown): void
}
interface MissedChanges {
  request: PendingRequest
  since: number
  /** Number of missed changes. */
  count: number
}

type Taken = Pick<Core, 'inboxes' | 'catchUps'>

/** @returns A function that reads for one socket; it rejects when the store cannot be read. */
export function createCatchUp(deps: Taken): (request: CatchUpRequest) => Promise<ReadChanges> {
  let waiting: PendingRequest[] = []
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

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...request, resolve, reject })
      if (isRunning) return
      isRunning = true
      void run()
    })
}

/** Resolves the requests that the head alone answers, then the others in parts. Never rejects. */
async function answerHeads(deps: Taken, slice: PendingRequest[]): Promise<void> {
  let missed: MissedChanges[]
  try {
    const heads = await deps.inboxes.heads([...new Map(slice.map((request) => [request.userNo, request])).values()])
    missed = slice.flatMap((request) => answerHead(request, heads.get(request.userNo)))
  } catch (error) {
    for (const request of slice) request.reject(error)
    return
  }
  for (const part of splitByCount(missed)) {
    await answerPart(deps, part)
    await setImmediate()
  }
}

/** Resolves a request for which nothing, or too much, was missed. @returns The changes to read for any other request. */
function answerHead(request: PendingRequest, head: InboxHead | undefined): MissedChanges[] {
  const { since, epoch } = request
  if (head === undefined) request.reject(new Error('inbox head not read'))
  else if (since === null || since > head.seq || (epoch !== null && epoch !== head.epoch))
    request.resolve({ head, changes: [], reset: true })
  else if (since === head.seq) request.resolve({ head, changes: [], reset: false })
  else return [{ request, since, count: head.seq - since }]
  return []
}

async function answerPart({ catchUps }: Taken, part: MissedChanges[]): Promise<void> {
  try {
    const reads = await catchUps.missed(
      part.map(({ request, since, count }) => ({ ...ownerOf(request), since, count })),
    )
    for (const [at, { request }] of part.entries()) {
      const read = reads[at]
      if (read === undefined) request.reject(new Error('missed changes not read'))
      else request.resolve(read)
    }
  } catch (error) {
    for (const { request } of part) request.reject(error)
  }
}

const ownerOf = ({ environmentId, userNo }: InboxOwner): InboxOwner => ({ environmentId, userNo })

/** Splits a list in its order. @returns Parts of at most `PART_CHANGES`, or of one entry that exceeds them. */
function splitByCount<T extends { count: number }>(all: T[]): T[][] {
  const parts: T[][] = []
  let remaining = 0
  for (const one of all) {
    const last = parts.at(-1)
    if (last === undefined || one.count > remaining) {
      parts.push([one])
      remaining = PART_CHANGES - one.count
    } else {
      last.push(one)
      remaining -= one.count
    }
  }
  return parts
}
