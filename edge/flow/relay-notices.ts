// Tells the bus what another process has changed in the store: the command line beside a running server (contract section 11).

import type { Bus } from '../domain/bus.ts'
import type { Notice, Notices } from '../domain/notice.ts'

/** Answers how many it told. The first call only takes the position: what was before it, this process has read itself. */
export function createRelayNotices({ notices, bus }: { notices: Notices; bus: Pick<Bus, 'publish'> }) {
  let position: number | undefined
  return async function relayNotices(): Promise<number> {
    if (position === undefined) {
      position = await notices.lastNumber()
      return 0
    }
    const heard = await notices.listAfter(position)
    for (const { number, notice } of heard) {
      position = number
      tell(bus, notice)
    }
    return heard.length
  }
}

function tell(bus: Pick<Bus, 'publish'>, notice: Notice): void {
  if (notice.topic === 'sessions-ended') bus.publish(notice.topic, notice.payload)
  else bus.publish(notice.topic, notice.payload)
}
