// Logs changes of keys and settings of environments: at most one line a second, because one change has many parts.

import type { Bus } from '../domain/bus.ts'
import { formatId } from '../lib/id.ts'
import type { Log } from '../lib/log.ts'

const GATHER_MS = 1000

/** Subscribes until the process ends. Changes by the command line arrive as notices of the store. */
export function logChanges(bus: Pick<Bus, 'subscribe'>, log: Log, gatherMs = GATHER_MS): void {
  const changed = new Set<number>()
  bus.subscribe('environment-changed', ({ environmentId }) => {
    if (changed.size === 0) setTimeout(logChanged, gatherMs).unref()
    changed.add(environmentId)
  })

  function logChanged(): void {
    const [first = 0] = changed
    const about = changed.size === 1 ? { environmentId: formatId('environment', first) } : { count: changed.size }
    log.info('keys or settings changed', about)
    changed.clear()
  }
}
