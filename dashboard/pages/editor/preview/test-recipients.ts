// Keeps in the browser to which users a person sends tests in an environment.

import { keepValue, readKept } from '../../../lib/kept-values.ts'
import { keepOwnUser, ownUser } from '../../../lib/own-user.ts'

export interface TestRecipients {
  /** The user whose inbox is the person's own; empty: not chosen yet. */
  own: string
  /** Users of other people who look at tests. */
  others: readonly string[]
}

const KEPT_AS = 'nc-dashboard-tests'
/** Tests go to colleagues. */
export const MOST_OTHERS = 20

export const keptRecipients = (environmentId: string): TestRecipients => ({
  own: ownUser(environmentId) ?? '',
  others: readKept<readonly string[]>(KEPT_AS)[environmentId] ?? [],
})

export function keepRecipients(environmentId: string, { own, others }: TestRecipients): void {
  keepOwnUser(environmentId, own)
  keepValue(KEPT_AS, environmentId, others)
}
