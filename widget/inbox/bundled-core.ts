// The inbox with its part as a bundler splits it off (package use).

import { outsideZone } from '../lib/zone.ts'
import type { CoreParts } from './core-parts.ts'
import { InboxController, type InboxControllerOptions } from './inbox-controller.ts'

export const BUNDLED_CORE: CoreParts = {
  loadCore: () => import('./inbox-core.ts'),
  loadRealtime: () => import('../transport/realtime.ts'),
}

/** The controller of a host that is not ours: `new InboxController(this, { baseUrl, credential })`. */
export class BundledInboxController extends InboxController {
  constructor(host: ConstructorParameters<typeof InboxController>[0], options: Omit<InboxControllerOptions, 'parts'>) {
    super(host, { ...options, parts: () => BUNDLED_CORE })
  }

  override hostUpdate(): void {
    outsideZone(() => super.hostUpdate())
  }
}
