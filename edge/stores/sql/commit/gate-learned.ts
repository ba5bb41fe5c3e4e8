// What only the transaction knows of a gate, written into the trace of its run: how many had gone past a throttle, which run a digest's event joined (contract section 3, "trace").

import type { TrackPlan } from '../../../domain/plan.ts'
import type { TraceInputs } from '../../../domain/run/trace-inputs.ts'
import type { TraceStep } from '../../../domain/tracked-event.ts'

export interface Learned {
  runId: number
  stepId: string
  inputs: TraceInputs
}

/** The plan with this in the traces of its runs, whichever way those have gone. */
export function tellLearned(plan: TrackPlan, learned: readonly Learned[]): TrackPlan {
  const byRun = new Map<number, Map<string, TraceInputs>>()
  for (const { runId, stepId, inputs } of learned) {
    const steps = byRun.get(runId) ?? new Map<string, TraceInputs>()
    byRun.set(runId, steps.set(stepId, inputs))
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

function tell(trace: string, learned: ReadonlyMap<string, TraceInputs>): string {
  const steps = JSON.parse(trace) as TraceStep[]
  for (const step of steps) {
    const inputs = learned.get(step.stepId)
    if (inputs !== undefined && step.inputs !== undefined) step.inputs = { ...inputs, ...step.inputs }
  }
  return JSON.stringify(steps)
}
