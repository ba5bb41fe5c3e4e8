// Makes the earlier version of a campaign of the demo, which the second one replaces in the middle of the month.

import type { DefinitionInput } from '../../campaign/definition.ts'

/** The day on which the second versions are published, of `TOGETHER_DAYS`. */
export const SECOND_VERSION_DAY = 15

/**
 * Of a hundred customers so many got the warm text at first. The split depends on the id of the campaign, which differs in each
 * demo: with a smaller share one demo of a thousand would have no warm invoice at all.
 */
export const FIRST_WEIGHTS: Readonly<Record<string, number>> = { short: 75, warm: 25 }

/** @returns The first version; undefined where the campaign has only one. */
export function earlierVersionOf(definition: DefinitionInput): DefinitionInput | undefined {
  if (definition.key !== 'invoice') return undefined
  const steps = definition.steps.map((step) =>
    step.type !== 'branch'
      ? step
      : {
          ...step,
          branches: step.branches.map((branch) => {
            const weight = FIRST_WEIGHTS[branch.key]
            return weight === undefined ? branch : { ...branch, weight }
          }),
        },
  )
  return { ...definition, steps }
}
