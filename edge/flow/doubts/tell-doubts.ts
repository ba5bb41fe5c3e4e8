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
  if (doubts === undefined) return {}
  return { doubts: [...new Map(doubts.map(describeDoubt).map((one) => [JSON.stringify(one), one])).values()] }
}
