// Two kinds of load: as much as the server takes (closed loop), and so many a second whatever it does (open loop).

import { type Connection, openConnection } from './connection.ts'

export interface Request {
  bytes: Buffer
  /** The status that it must have; any other ends the run. */
  status: number
  /** One that is passed over: the server is right to refuse now and then. */
  busyStatus?: number
  /** In place of `busyStatus`: refused with it, it is sent again after a moment, for rounds that count what arrives. */
  repeatsOn?: number
}

const REPEAT_AFTER_MS = 100

async function openAll(url: string, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => openConnection(url)))
}

async function sendOne(connection: Connection, { bytes, status, busyStatus }: Request): Promise<void> {
  const answered = await connection.send(bytes)
  if (answered !== status && answered !== busyStatus) throw new Error(`answered ${answered} in place of ${status}`)
}

/** A refusal may end its connection: answers the one to go on with. */
async function sendUntilTaken(url: string, connection: Connection, request: Request): Promise<Connection> {
  let current = connection
  for (;;) {
    const answered = await current.send(request.bytes)
    if (answered === request.status) return current
    if (answered !== request.repeatsOn) throw new Error(`answered ${answered} in place of ${request.status}`)
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
        const request = next()
        if (request.repeatsOn === undefined) await sendOne(connection, request)
        else connection = await sendUntilTaken(url, connection, request)
        answered += 1
      }
      connection.close()
    }),
  )
  return (answered * 1000) / (performance.now() - begun)
}

/**
 * Latencies in ms at a fixed rate. Each counts from when its request was due, not from when a connection was free, so that
 * a server that stalls cannot hide it. Throws at the first that is answered otherwise.
 */
export async function pace(
  url: string,
  perSecond: number,
  forMs: number,
  connections: number,
  next: () => Request,
): Promise<number[]> {
  const free = await openAll(url, connections)
  const all = [...free]
  const latencies: number[] = []
  const due: number[] = []
  const pending = new Set<Promise<void>>()
  const failures: unknown[] = []
  const begun = performance.now()
  const total = Math.floor((perSecond * forMs) / 1000)
  let planned = 0
  const sendDue = () => {
    while (due.length > 0 && free.length > 0) {
      // In turn: a connection that is left idle would be closed by the server.
      const connection = free.shift() as Connection
      const dueAt = due.shift() as number
      const sent = sendOne(connection, next())
        .then(() => {
          latencies.push(performance.now() - dueAt)
          free.push(connection)
          pending.delete(sent)
          sendDue()
        })
        // Told by the loop below: nobody waits for this one.
        .catch((error: unknown) => {
          pending.delete(sent)
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
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  while (pending.size > 0 && failures.length === 0) await Promise.race([Promise.all(pending), ...pending])
  for (const connection of all) connection.close()
  if (failures.length > 0) throw failures[0]
  return latencies
}
