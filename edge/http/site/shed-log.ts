// Tells the operator of calls that were turned away for want of room: the first at once, then their number every ten seconds (issue part 2, "Seeing inside").

import type { ErrorCode } from '../../../contract/errors.ts'
import type { Log } from '../../lib/log.ts'

const EVERY_MS = 10_000
const SHED: ReadonlySet<ErrorCode> = new Set(['service/unavailable', 'request/rate-limited'])

/** To be told of every refusal; those that are the caller's own fault are passed over. */
export function createShedLog(log: Log, everyMs = EVERY_MS): (code: ErrorCode) => void {
  const counts = new Map<ErrorCode, number>()
  const open = new Set<ErrorCode>()

  function tell(code: ErrorCode): void {
    const count = counts.get(code) ?? 0
    counts.delete(code)
    if (count === 0) {
      open.delete(code)
      return
    }
    log.warn('Calls were turned away.', { code, count })
    setTimeout(tell, everyMs, code).unref()
  }

  return (code) => {
    if (!SHED.has(code)) return
    counts.set(code, (counts.get(code) ?? 0) + 1)
    if (open.has(code)) return
    open.add(code)
    tell(code)
  }
}
