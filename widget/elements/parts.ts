// The parts that come after the badge, and how they are loaded: by a bundler's own chunks, or as modules beside the one script.

import type { InboxMessage } from '../../contract/api.ts'
import type { CoreParts } from '../inbox/core-parts.ts'
import type { Watch } from '../inbox/core-types.ts'
import type { LanguageParts } from './i18n.ts'
import type { Panel, PanelHost, PanelParts } from './panel/panel-types.ts'

export interface Parts extends CoreParts, LanguageParts, PanelParts {
  loadPanel: () => Promise<{ createPanel: (host: PanelHost) => Panel }>
  loadExtras: () => Promise<{ createExtras: (host: PanelHost) => Extras }>
  loadDebug: () => Promise<{ createDebug: (host: PanelHost) => Debug }>
}

/** What the page opts into for arrivals. */
export interface Extras {
  arrived(messages: InboxMessage[]): void
  destroy(): void
}

export interface Debug {
  /** For an inbox that begins now. */
  watch(): Watch
  /** The attribute or the element's place in the page may have changed. */
  update(): void
}
