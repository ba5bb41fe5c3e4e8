// Keeps in the browser as which user of each environment the person receives tests.

import { keepValue, readKept } from './kept-values.ts'

const KEPT_AS = 'nc-dashboard-own-users'

export const keepOwnUser = (environmentId: string, userId: string): void => keepValue(KEPT_AS, environmentId, userId)

/** @returns Their id; they may be gone by now. */
export const ownUser = (environmentId: string): string | undefined => readKept<string>(KEPT_AS)[environmentId]
