// Fills a store with many events in batches over a few connections. Idempotency keys prevent that a repeated batch
// counts twice.

import { setTimeout as delay } from 'node:timers/promises'
import { whole } from '../benchmark.ts'
import { type Connection, openConnection } from '../connection.ts'
import type { Request } from '../load.ts'

export interface FillOptions {
  url: string
  /** Number of events. */
  count: number
  /** Builds the request of `size` events from this number on, each with its own idempotency key. */
  batch(from: number, size: number): Request
  /** Names what is stored, for the lines of progress. */
  what: string
  log(text: string): void
}

export const FILL_BATCH = 1000
const CONNECTIONS = 4
const REPORT_EVERY = 100_000
/** Statuses of requests that had no effect and are repeated: too slow, too many, or busy. */
const COMES_AGAIN = new Set([408, 429, 503])
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
/** Ends the run when one batch is not accepted within this time. */
const PATIENCE_MS = 120_000

/** Sends all events. @throws when a batch is refused for another reason, or for too long */
export async function fill({ url, count, batch, what, log }: FillOptions): Promise<void> {
  const begun = performance.now()
  let [sent, stored, repeated, reported] = [0, 0, 0, 0]

  function report(): void {
    const seconds = (performance.now() - begun) / 1000
    const again = repeated === 0 ? '' : `; sent again: ${whole(repeated)} requests`
    log(`${whole(stored)} of ${whole(count)} ${what} stored, ${whole(stored / seconds)} a second${again}`)
  }

  async function work(): Promise<void> {
    let connection: Connection | undefined
    while (sent < count) {
      const size = Math.min(FILL_BATCH, count - sent)
      const request = batch(sent, size)
      sent += size
      connection = await sendPatiently(url, connection, request, () => {
        repeated += 1
      })
      stored += size
      if (stored - reported < REPORT_EVERY && stored < count) continue
      reported = stored
      report()
    }
    connection?.close()
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

/** Sends a batch until it is accepted. @returns the connection to use next */
async function sendPatiently(
  url: string,
  before: Connection | undefined,
  request: Request,
  onRepeat: () => void,
): Promise<Connection> {
  const until = performance.now() + PATIENCE_MS
  let connection = before
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    let why: string
    try {
      if (connection === undefined || connection.isClosed()) connection = await openConnection(url)
      const status = await connection.send(request.bytes)
      if (status === request.status) return connection
      why = `answered ${status} in place of ${request.status}`
      if (!COMES_AGAIN.has(status)) throw new Refused(why)
    } catch (error) {
      if (error instanceof Refused) throw error
      why = error instanceof Error ? error.message : String(error)
    }
    connection?.close()
    connection = undefined
    if (performance.now() > until) throw new Error(`a batch was not taken in ${PATIENCE_MS / 1000} s: ${why}`)
    onRepeat()
    await delay(pauseMs)
  }
}

/** A refusal that a repeat would meet again. */
class Refused extends Error {}
