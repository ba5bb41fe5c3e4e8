// Says doubts in words: those of live runs, and those of trials.

import type { TriedDoubts } from '../../../contract/resources/tried-doubt.ts'
import { TRIGGER } from '../../campaign/evaluator.ts'
import type { NotedDoubt } from '../../campaign/expression/noted-doubts.ts'

/** Has what cannot have been meant; absent when that is nothing. */
export interface Tried {
  doubts?: TriedDoubts
}

/** @returns the doubt in words, with the step that it is of */
export function describeDoubt({ kind, stepId, what, example }: NotedDoubt) {
  const where = stepId === TRIGGER ? 'The trigger' : `Step ${stepId}`
  return { kind, message: `${where}: ${what}.`, example }
}

/** @returns what the answer of a trial says, each doubt once: subject and text of a mail may print the same */
export function tellDoubts(doubts: NotedDoubt[] | undefined): Tried {
  // A trial calls no enricher.
  const own = doubts?.filter(({ what }) => !what.startsWith('prints enriched.')) ?? []
  if (own.length === 0) return {}
  return { doubts: [...new Map(own.map(describeDoubt).map((one) => [JSON.stringify(one), one])).values()] }
}
