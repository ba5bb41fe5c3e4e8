// What only the transaction knows of a throttle, written into the trace of its run: how many had gone past (contract section 3, "trace").

import type { TrackPlan } from '../../../domain/plan.ts'
import type { TraceStep } from '../../../domain/tracked-event.ts'

export interface RunCount {
  runId: number
  stepId: string
  count: number
}

/** The plan with these counts in the traces of its runs, whichever way those have gone. */
export function tellCounts(plan: TrackPlan, counts: readonly RunCount[]): TrackPlan {
  const byRun = new Map<number, Map<string, number>>()
  for (const { runId, stepId, count } of counts) {
    const steps = byRun.get(runId) ?? new Map<string, number>()
    byRun.set(runId, steps.set(stepId, count))
  }
  const { continues } = plan
  const carried = continues === null ? undefined : byRun.get(continues.claim.runId)
  return {
    ...plan,
    runs: plan.runs.map((run) => {
      const found = byRun.get(run.id)
      return found === undefined ? run : { ...run, trace: tell(run.trace, found) }
    }),
    continues:
      continues === null || carried === undefined ? continues : { ...continues, trace: tell(continues.trace, carried) },
  }
}

function tell(trace: string, counts: ReadonlyMap<string, number>): string {
  const steps = JSON.parse(trace) as TraceStep[]
  for (const step of steps) {
    const count = counts.get(step.stepId)
    if (count !== undefined && step.inputs !== undefined) step.inputs = { count, ...step.inputs }
  }
  return JSON.stringify(steps)
}
