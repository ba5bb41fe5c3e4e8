// Says in words which steps a definition takes.

import { allSteps, readFlow } from '../../flow/tree.ts'
import { kindOf } from '../../flow/words.ts'

/** @returns The name of each step, in their order, with those of branches and waits in place; ends of a run are left out. */
export const stepWordsOf = (definition: Readonly<Record<string, unknown>>): string[] =>
  allSteps(readFlow(definition).steps).flatMap((step) => (step.type === 'exit' ? [] : [kindOf(step)[1]]))
