// Which events the steps of a campaign wait for (contract section 6). By itself: the writer's thread asks, and has no need of what compiles conditions and templates.

import type { Step } from '../campaign.ts'

/** The names of events that steps wait for, however deep. */
export function listAwaited(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if (step.type === 'branch') return step.branches.flatMap((branch) => listAwaited(branch.steps))
    return step.type === 'waitFor' ? [step.event, ...listAwaited(step.then), ...listAwaited(step.onTimeout)] : []
  })
}
