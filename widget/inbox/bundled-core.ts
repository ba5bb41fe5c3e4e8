// The inbox's later parts as a bundler splits them off (package use).

import type { CoreParts } from './core-parts.ts'

export const BUNDLED_CORE: CoreParts = {
  loadCore: () => import('./inbox-core.ts'),
  loadRealtime: () => import('../transport/realtime.ts'),
}
