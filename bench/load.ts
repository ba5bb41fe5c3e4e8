// Two kinds of load: as much as the server takes (closed loop), and so many a second whatever it does (open loop).

import { type Connection, openConnection } from './connection.ts'

export interface Request {
  bytes: Buffer
  /** The status that it must have; any other ends the run. */
  status: number
  /** Refused with one of them, it is sent again after a moment, as clients of the API do; the wait counts. */
  repeatsOn?: readonly number[]
}

const REPEAT_AFTER_MS = 100

let refused = 0

/** How many requests were refused and sent again since the last time it was asked. */
export function takeRefused(): number {
  const count = refused
  refused = 0
  return count
}

async function openAll(url: string, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => openConnection(url)))
}

/** A refusal may end its connection, and so may idleness: answers the one to go on with. */
async function sendUntilTaken(url: string, connection: Connection, request: Request): Promise<Connection> {
  let current = connection.isClosed() ? await openConnection(url) : connection
  for (;;) {
    const answered = await current.send(request.bytes)
    if (answered === request.status) return current
    if (request.repeatsOn?.includes(answered) !== true)
      throw new Error(`answered ${answered} in place of ${request.status}`)
    refused += 1
    current.close()
    await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS))
    current = await openConnection(url)
  }
}

/** Requests a second over `connections` that each send again as soon as they are answered; for so long, or so many. */
export async function saturate(
  url: string,
  connections: number,
  most: number | { requests: number },
  next: () => Request,
): Promise<number> {
  const open = await openAll(url, connections)
  const begun = performance.now()
  const until = typeof most === 'number' ? begun + most : Number.POSITIVE_INFINITY
  let left = typeof most === 'number' ? Number.POSITIVE_INFINITY : most.requests
  let answered = 0
  await Promise.all(
    open.map(async (first) => {
      let connection = first
      while (left > 0 && performance.now() < until) {
        left -= 1
        connection = await sendUntilTaken(url, connection, next())
        answered += 1
      }
      connection.close()
    }),
  )
  return (answered * 1000) / (performance.now() - begun)
}

/** A timer wakes up to two milliseconds late. */
const LATE_MS = 2
/** With less between two requests than this, turns of the loop would take a core from the server. */
const DENSE_MS = 5

/**
 * The last of a wait is spent in turns of the loop, so that the timer's lateness is in no latency. Dense
 * rates send what is due in bunches.
 */
async function untilDue(dueAt: number, everyMs: number): Promise<void> {
  const waitMs = dueAt - performance.now()
  if (everyMs < DENSE_MS) await new Promise((resolve) => setTimeout(resolve, 1))
  else if (waitMs > LATE_MS) await new Promise((resolve) => setTimeout(resolve, waitMs - LATE_MS))
  else await new Promise((resolve) => setImmediate(resolve))
}

/**
 * Latencies in ms at a fixed rate. Each counts from when its request was due, not from when a connection was free, so that
 * a server that stalls cannot hide it. Throws at the first that is answered otherwise. `warmMs`: so long it goes on before
 * anything counts, so that new connections, cold code and what the disk still has of a former load are in no figure.
 */
export async function pace(
  url: string,
  perSecond: number,
  forMs: number,
  connections: number,
  next: () => Request,
  warmMs = 0,
): Promise<number[]> {
  const free = await openAll(url, connections)
  const latencies: number[] = []
  const due: number[] = []
  const pending = new Set<Promise<void>>()
  const failures: unknown[] = []
  const begun = performance.now()
  const total = Math.floor((perSecond * (warmMs + forMs)) / 1000)
  let planned = 0
  const sendDue = () => {
    while (due.length > 0 && free.length > 0) {
      // In turn: a connection that is left idle would be closed by the server.
      const connection = free.shift() as Connection
      const dueAt = due.shift() as number
      const sent = sendUntilTaken(url, connection, next())
        .then((current) => {
          if (dueAt >= begun + warmMs) latencies.push(performance.now() - dueAt)
          free.push(current)
          pending.delete(sent)
          sendDue()
        })
        // Told by the loop below: nobody waits for this one.
        .catch((error: unknown) => {
          pending.delete(sent)
          connection.close()
          failures.push(error)
        })
      pending.add(sent)
    }
  }
  while (planned < total && failures.length === 0) {
    const now = performance.now() - begun
    for (; planned < total && (planned * 1000) / perSecond <= now; planned += 1) {
      due.push(begun + (planned * 1000) / perSecond)
    }
    sendDue()
    await untilDue(begun + (planned * 1000) / perSecond, 1000 / perSecond)
  }
  while (pending.size > 0 && failures.length === 0) await Promise.race([Promise.all(pending), ...pending])
  for (const connection of free) connection.close()
  if (failures.length > 0) throw failures[0]
  return latencies
}
