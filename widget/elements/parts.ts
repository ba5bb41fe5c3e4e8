// The parts that come after the badge, and how they are loaded: by a bundler's own chunks, or as modules beside the one script.

import type { CoreParts } from '../inbox/core-parts.ts'
import type { createDebug } from './debug/debug.ts'
import type { LanguageParts } from './i18n.ts'
import type { createExtras } from './panel/extras.ts'
import type { createMarkdown } from './panel/message/markdown-view.ts'
import type { createPanel } from './panel/panel.ts'
import type { ScriptPlacement } from './panel/placing.ts'
import type { createRare } from './panel/rare.ts'
import type { createSettings } from './panel/settings/settings.ts'
import type { SwipeController } from './panel/swipe.ts'

export interface Parts extends CoreParts, LanguageParts {
  loadPanel: () => Promise<{ createPanel: typeof createPanel }>
  loadExtras: () => Promise<{ createExtras: typeof createExtras }>
  loadRare: () => Promise<{ createRare: typeof createRare }>
  loadMarkdown: () => Promise<{ createMarkdown: typeof createMarkdown }>
  loadSettings: () => Promise<{ createSettings: typeof createSettings }>
  loadPlacing: () => Promise<{ ScriptPlacement: typeof ScriptPlacement }>
  loadDebug: () => Promise<{ createDebug: typeof createDebug }>
  loadTouch: () => Promise<{ SwipeController: typeof SwipeController }>
}
