// The parts as a bundler splits them off (package use). The one script has its own way: see script.ts.

import type { Parts } from './parts.ts'

export const BUNDLED_PARTS: Parts = {
  loadCore: () => import('../inbox/inbox-core.ts'),
  loadRealtime: () => import('../transport/realtime.ts'),
  loadPanel: () => import('../elements/panel/panel.ts'),
  loadExtras: () => import('../elements/panel/extras.ts'),
}
