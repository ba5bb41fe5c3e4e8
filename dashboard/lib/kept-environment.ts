// Keeps in the browser which environment of each organisation was shown last.

import { keepValue, readKept } from './kept-values.ts'

const KEPT_AS = 'nc-dashboard-environments'

export const keepEnvironment = (org: string, id: string): void => keepValue(KEPT_AS, org, id)

/** @returns Its id; it may be gone by now. */
export const keptEnvironment = (org: string): string | undefined => readKept<string>(KEPT_AS)[org]
