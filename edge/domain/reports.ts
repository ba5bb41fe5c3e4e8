// Defines the reads for people who look back: history, statistics and search. A replica of the store may answer them.

import type { DeliveryHistory } from './delivery/delivery-record.ts'
import type { Funnels } from './delivery/funnel.ts'
import type { TrackedEvents } from './tracked-event.ts'
import type { Users } from './user.ts'

/** Lists and sums alone: one record is read from the store itself, because a caller may have just made it. */
export interface Reports {
  events: Pick<TrackedEvents, 'list'>
  deliveries: Pick<DeliveryHistory, 'step'>
  funnels: Omit<Funnels, 'rebuild'>
  users: Pick<Users, 'listNewest' | 'search'>
  /** Greatest age (ms) of an answer that begins now, 0 where the store itself answers; null where no replica is set. */
  ageMs(): number | null
}
