// Generates two kinds of load: closed loop (maximum throughput) and open loop (fixed rate).

import { type Connection, openConnection } from './connection.ts'

export interface Request {
  bytes: Buffer
  /** The expected status; any other ends the run. */
  status: number
  /** Statuses after which the request is sent again after a pause, as API clients do. The pause counts as latency. */
  repeatsOn?: readonly number[]
}

const REPEAT_AFTER_MS = 100

let refused = 0

/** Returns how many requests were refused and repeated since the last call. */
export function takeRefused(): number {
  const count = refused
  refused = 0
  return count
}

async function openAll(url: string, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => openConnection(url)))
}

/** Sends a request until it is accepted. @returns the connection to use next, because a refusal may end the old one */
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

/**
 * Returns the requests per second over `connections`, each of which sends again after its answer, for a time or a
 * number of requests.
 */
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

/** Timers fire up to two milliseconds late. */
const LATE_MS = 2
/** With smaller intervals between requests, spinning on the event loop would take a core from the server. */
const DENSE_MS = 5

/**
 * Waits until `dueAt`. The end of the wait spins on the event loop, so that the timer's delay is not part of a latency.
 * Dense rates send all due requests together.
 */
async function untilDue(dueAt: number, everyMs: number): Promise<void> {
  const waitMs = dueAt - performance.now()
  if (everyMs < DENSE_MS) await new Promise((resolve) => setTimeout(resolve, 1))
  else if (waitMs > LATE_MS) await new Promise((resolve) => setTimeout(resolve, waitMs - LATE_MS))
  else await new Promise((resolve) => setImmediate(resolve))
}

/**
 * Measures latencies in ms at a fixed rate. A latency begins when its request was due, not when a connection was free,
 * so that a stalled server cannot hide it.
 * `warmMs` is the time before the measurement: new connections, cold code and earlier disk writes are in no figure.
 * @throws at the first answer with another status
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
      // Connections take turns, because the server closes idle ones.
      const connection = free.shift() as Connection
      const dueAt = due.shift() as number
      const sent = sendUntilTaken(url, connection, next())
        .then((current) => {
          if (dueAt >= begun + warmMs) latencies.push(performance.now() - dueAt)
          free.push(current)
          pending.delete(sent)
          sendDue()
        })
        // The loop below reports the error.
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
