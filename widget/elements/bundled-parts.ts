// The parts as a bundler splits them off (package use). The one script has its own way: see script.ts.

import { BUNDLED_CORE } from '../inbox/bundled-core.ts'
import { BUNDLED_LANGUAGES } from '../locales/bundled-languages.ts'
import type { Parts } from './parts.ts'

export const BUNDLED_PARTS: Parts = {
  ...BUNDLED_CORE,
  loadPanel: () => import('./panel/create-panel.ts'),
  loadExtras: () => import('./panel/extras.ts'),
  loadRare: () => import('./panel/rare/rare.ts'),
  loadMarkdown: () => import('./panel/message/markdown-view.ts'),
  loadSettings: () => import('./panel/settings/settings.ts'),
  loadPlacing: () => import('./panel/placing.ts'),
  loadDebug: () => import('./debug/debug.ts'),
  loadTouch: () => import('./panel/swipe.ts'),
  loadLanguage: (tag) => {
    const load = BUNDLED_LANGUAGES[tag]
    return load === undefined ? Promise.reject(new Error(`There are no words for ${tag}.`)) : load()
  },
}
