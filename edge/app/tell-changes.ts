// Tells the operator that keys or settings of environments have changed, rotations too: a change has many parts, so one line a second (issue part 2, "Seeing inside").

import type { Bus } from '../domain/bus.ts'
import { formatId } from '../lib/id.ts'
import type { Log } from '../lib/log.ts'

const GATHER_MS = 1000

/** Listens for good; a change on the command line comes as a notice over the store. */
export function tellChanges(bus: Pick<Bus, 'subscribe'>, log: Log, gatherMs = GATHER_MS): void {
  const changed = new Set<number>()
  bus.subscribe('environment-changed', ({ environmentId }) => {
    if (changed.size === 0) setTimeout(tell, gatherMs).unref()
    changed.add(environmentId)
  })

  function tell(): void {
    const [first = 0] = changed
    const about = changed.size === 1 ? { environmentId: formatId('environment', first) } : { count: changed.size }
    log.info('keys or settings changed', about)
    changed.clear()
  }
}
