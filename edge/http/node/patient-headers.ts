// Headers have their seconds of the time in which this process ran: what a caller sent while it stood still is unread, not late (contract section 1, "Limits").

import type { Server } from 'node:http'
import { performance } from 'node:perf_hooks'
import { startRunningTime } from '../../lib/running-time.ts'

const LOOK_EVERY_MS = 100

/** Node measures by the clock on the wall, and asks the server for `headersTimeout` whenever it looks for whom to cut. */
export function countRunningTime(server: Server): void {
  const ranMs = server.headersTimeout
  const running = startRunningTime(LOOK_EVERY_MS)
  const looks: { at: number; ranAt: number }[] = []
  /** How long ago it was that this process had `ranMs` to run before it. */
  function limit(): number {
    const [at, ranAt] = [performance.now(), running.now()]
    looks.push({ at, ranAt })
    while (looks[1] !== undefined && looks[1].ranAt <= ranAt - ranMs) looks.shift()
    return Math.max(ranMs, Math.ceil(at - (looks[0]?.at ?? at)))
  }
  limit()
  const timer = setInterval(limit, LOOK_EVERY_MS)
  timer.unref()
  Object.defineProperty(server, 'headersTimeout', { get: limit })
  server.once('close', () => {
    clearInterval(timer)
    running.stop()
  })
}
