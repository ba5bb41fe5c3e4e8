// The language of the element by the name that the panel has for it.

import type { I18n } from './i18n.ts'

export type Voice = I18n
