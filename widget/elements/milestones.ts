// Fires `nc-counts` when the numbers change, and `nc-ready` once per sign-in.

import { NcCountsEvent } from './events/counts.ts'
import { NcReadyEvent } from './events/ready.ts'
import type { NotificationCenter } from './notification-center.ts'

export interface Milestones {
  report(): void
  /** The session ended: the next one is ready anew. */
  reset(): void
}

export function createMilestones(center: NotificationCenter): Milestones {
  let shownCounts = '0 0'
  let wasReady = false
  return {
    report: () => {
      const { unread, unopened } = center
      const counts = `${unread} ${unopened}`
      const isReady = center.state === 'ready' && !wasReady
      // Also with the list: the stored counts were reported too soon for a page whose script comes after this one.
      if (isReady || counts !== shownCounts) center.dispatchEvent(new NcCountsEvent(unread, unopened))
      shownCounts = counts
      wasReady ||= isReady
      if (isReady) center.dispatchEvent(new NcReadyEvent())
    },
    reset: () => {
      wasReady = false
    },
  }
}
