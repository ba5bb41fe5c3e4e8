// Logs requests rejected by overload or rate limits: the first at once, then their number every ten seconds.

import type { ErrorCode } from '../../../contract/errors.ts'
import type { Log } from '../../lib/log.ts'

const EVERY_MS = 10_000
const LOGGED: ReadonlySet<ErrorCode> = new Set(['service/unavailable', 'request/rate-limited'])

/** @returns A function to call for each refusal; it ignores other codes, whose cause is the caller. */
export function createRejectionLog(log: Log, everyMs = EVERY_MS): (code: ErrorCode) => void {
  const counts = new Map<ErrorCode, number>()
  /** Codes with a timer that logs their count. */
  const scheduled = new Set<ErrorCode>()

  function report(code: ErrorCode): void {
    const count = counts.get(code) ?? 0
    counts.delete(code)
    if (count === 0) {
      scheduled.delete(code)
      return
    }
    log.warn('requests rejected', { code, count })
    setTimeout(report, everyMs, code).unref()
  }

  return (code) => {
    if (!LOGGED.has(code)) return
    counts.set(code, (counts.get(code) ?? 0) + 1)
    if (scheduled.has(code)) return
    scheduled.add(code)
    report(code)
  }
}
