// English as a whole, as the other languages have it: for tests and types, not for the scripts, which bring it in pieces.

import { EN } from './en.ts'
import { EN_BELL } from './en-bell.ts'
import { EN_RARE } from './en-rare.ts'
import { EN_SETTINGS } from './en-settings.ts'

export const ENGLISH = { ...EN_BELL, ...EN, ...EN_RARE, ...EN_SETTINGS }
