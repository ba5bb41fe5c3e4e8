// The parts of the inbox that come after the badge, and how they are loaded (see elements/parts.ts for the rest).

import type { CreateRealtime } from '../transport/realtime.ts'
import type { createInboxCore } from './inbox-core.ts'

export interface CoreParts {
  loadCore: () => Promise<{ createInboxCore: typeof createInboxCore }>
  /** Wanted once there is a list: until it comes, changes are asked for. */
  loadRealtime: () => Promise<{ createRealtime: CreateRealtime }>
}
