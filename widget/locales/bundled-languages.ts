// The languages as a bundler splits them off (package use): each is a chunk of its own.

import type { AllWords } from './keys.ts'

export const BUNDLED_LANGUAGES: Readonly<Record<string, () => Promise<{ words: AllWords }>>> = {
  ar: () => import('./ar.ts'),
  cs: () => import('./cs.ts'),
  da: () => import('./da.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fi: () => import('./fi.ts'),
  fr: () => import('./fr.ts'),
  he: () => import('./he.ts'),
  hi: () => import('./hi.ts'),
  it: () => import('./it.ts'),
  ja: () => import('./ja.ts'),
  ko: () => import('./ko.ts'),
  nl: () => import('./nl.ts'),
  pl: () => import('./pl.ts'),
  'pt-BR': () => import('./pt-BR.ts'),
  sv: () => import('./sv.ts'),
  tr: () => import('./tr.ts'),
  uk: () => import('./uk.ts'),
  'zh-Hans': () => import('./zh-Hans.ts'),
}
