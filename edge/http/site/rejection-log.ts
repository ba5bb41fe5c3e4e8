// Logs requests rejected by overload or rate limits: the first at once, then their number every ten seconds.

import type { ErrorCode } from '../../../contract/errors.ts'
import type { Log } from '../../lib/log.ts'

const EVERY_MS = 10_000
const LOGGED: ReadonlySet<ErrorCode> = new Set(['service/unavailable', 'request/rate-limited'])

/** @returns A function to call for every refusal; it ignores those with other codes, which the caller caused. */
export function createRejectionLog(log: Log, everyMs = EVERY_MS): (code: ErrorCode) => void {
  const counts = new Map<ErrorCode, number>()
  const open = new Set<ErrorCode>()

  function report(code: ErrorCode): void {
    const count = counts.get(code) ?? 0
    counts.delete(code)
    if (count === 0) {
      open.delete(code)
      return
    }
    log.warn('requests rejected', { code, count })
    setTimeout(report, everyMs, code).unref()
  }

  return (code) => {
    if (!LOGGED.has(code)) return
    counts.set(code, (counts.get(code) ?? 0) + 1)
    if (open.has(code)) return
    open.add(code)
    report(code)
  }
}
