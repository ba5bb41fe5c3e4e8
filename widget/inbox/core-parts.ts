// The parts of the inbox that come after the badge, and how they are loaded (see elements/parts.ts for the rest).

import type { CoreDeps, InboxCore } from './core-types.ts'

export interface CoreParts extends Pick<CoreDeps, 'loadRealtime'> {
  loadCore: () => Promise<{ createInboxCore: (deps: CoreDeps) => Promise<InboxCore> }>
}
