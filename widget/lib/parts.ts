// The parts that come after the badge, and how they are loaded: by a bundler's own chunks, or as modules beside the one script.

import type { createExtras } from '../elements/panel/extras.ts'
import type { createPanel } from '../elements/panel/panel.ts'
import type { createInboxCore } from '../inbox/inbox-core.ts'
import type { openRealtime } from '../transport/realtime.ts'

export interface Parts {
  loadCore: () => Promise<{ createInboxCore: typeof createInboxCore }>
  loadRealtime: () => Promise<{ openRealtime: typeof openRealtime }>
  loadPanel: () => Promise<{ createPanel: typeof createPanel }>
  loadExtras: () => Promise<{ createExtras: typeof createExtras }>
}
