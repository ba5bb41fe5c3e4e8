// Decides the gates (throttles, digests) of a batch, and changes the plans whose gates are shut.

import type { DigestGate, Gate, SkippedRun, ThrottleGate, TrackPlan } from '../../../domain/plan.ts'
import type { RunContinuation } from '../../../domain/run/run-wait.ts'
import type { TraceInputs, TraceStep } from '../../../domain/tracked-event.ts'
import { formatId } from '../../../lib/id.ts'
import type { Sql } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { gatherDigests } from './digest.ts'
import { getUserNo, type UserGate } from './recipients.ts'
import { findThrottled } from './throttle.ts'

export interface GateDecisions {
  /** Returns the plan to write, which differs when a gate is shut or adds to the trace. */
  planOf(plan: TrackPlan): TrackPlan
  /** Returns whether this plan makes a digest window full, so that a waiting run is due at once. */
  makesRunDue(plan: TrackPlan): boolean
  /** Makes the runs of full windows due. Call it after the waits of the batch are written. */
  finish(sql: Sql): Promise<void>
}

/** A run with its undecided gates, in order. */
interface GatedRun {
  plan: TrackPlan
  userNo: number
  undecided: Gate[]
}

/** Values that only the commit transaction knows: a throttle count, or the run whose digest was joined. */
interface GateInputs {
  runId: number
  stepId: string
  inputs: TraceInputs
}

const NO_GATES: GateDecisions = { planOf: (plan) => plan, makesRunDue: () => false, finish: async () => {} }

/**
 * Decides in rounds, because the second gate of a run is decided only when the first is open. Each round keeps the
 * order of the plans.
 */
export async function decideGates(context: WriteContext, plans: TrackPlan[]): Promise<GateDecisions> {
  let runs = plans.flatMap((plan) => gatedRunsOf(context, plan))
  if (runs.length === 0) return NO_GATES
  const skipped = new Map<TrackPlan, Map<number, SkippedRun>>()
  const completing = new Set<TrackPlan>()
  const inputsOfPlan = new Map<TrackPlan, GateInputs[]>()
  const finishers: ((sql: Sql) => Promise<void>)[] = []
  while (runs.length > 0) {
    const digested = await gatherDigests(context, nextGatesOf(runs, 'digest'))
    const throttled = await findThrottled(context, nextGatesOf(runs, 'throttle'))
    finishers.push(digested.makeDue)
    for (const { plan, undecided } of runs) {
      const [gate] = undecided
      const inputs = gateInputsOf(gate, throttled.before, digested.joined)
      if (inputs !== undefined) inputsOfPlan.set(plan, [...(inputsOfPlan.get(plan) ?? []), inputs])
      if (gate?.kind === 'digest' && digested.completing.has(gate)) completing.add(plan)
    }
    const isShut = (gate: Gate) => (gate.kind === 'digest' ? digested.joined.has(gate) : throttled.shut.has(gate))
    runs = runs.flatMap((run) => {
      const [gate, ...undecided] = run.undecided
      if (gate !== undefined && isShut(gate)) {
        const ofPlan = skipped.get(run.plan) ?? new Map<number, SkippedRun>()
        skipped.set(run.plan, ofPlan.set(gate.runId, gate.otherwise))
        return []
      }
      return undecided.length === 0 ? [] : [{ ...run, undecided }]
    })
  }
  const written = new Map([...skipped].map(([plan, ofPlan]) => [plan, skipRuns(plan, ofPlan)]))
  for (const [plan, found] of inputsOfPlan) written.set(plan, addGateInputs(written.get(plan) ?? plan, found))
  return {
    planOf: (plan) => written.get(plan) ?? plan,
    makesRunDue: (plan) => completing.has(plan),
    async finish(sql) {
      for (const finish of finishers) await finish(sql)
    },
  }
}

/** Returns the trace inputs of a gate, if any. The owner of a window has the same version as the runs that join it. */
function gateInputsOf(
  gate: Gate | undefined,
  before: ReadonlyMap<Gate, number>,
  joined: ReadonlyMap<DigestGate, number>,
): GateInputs | undefined {
  if (gate === undefined) return undefined
  const { runId, stepId } = gate
  if (gate.kind === 'throttle') return { runId, stepId, inputs: { count: before.get(gate) ?? 0 } }
  const into = joined.get(gate)
  if (into === undefined) return undefined
  return { runId, stepId, inputs: { joined: { runId: formatId('run', into), version: gate.version } } }
}

/** Returns each run of the plan that has gates, in the order of the plan. */
function gatedRunsOf(context: WriteContext, plan: TrackPlan): GatedRun[] {
  if (plan.gates === undefined || plan.gates.length === 0) return []
  const byRun = new Map<number, Gate[]>()
  for (const gate of plan.gates) {
    const before = byRun.get(gate.runId)
    if (before === undefined) byRun.set(gate.runId, [gate])
    else before.push(gate)
  }
  return [...byRun.values()].map((undecided) => {
    const userNo = getUserNo(context, plan.environmentId, undecided[0]?.userId ?? '')
    return { plan, userNo, undecided }
  })
}

function nextGatesOf(runs: GatedRun[], kind: 'digest'): UserGate<DigestGate>[]
function nextGatesOf(runs: GatedRun[], kind: 'throttle'): UserGate<ThrottleGate>[]
function nextGatesOf(runs: GatedRun[], kind: Gate['kind']): UserGate<Gate>[] {
  return runs.flatMap(({ plan, userNo, undecided: [gate] }) =>
    gate?.kind === kind ? [{ gate, userNo, environmentId: plan.environmentId }] : [],
  )
}

/** Returns the plan without the messages and waits of these runs; their skip records replace them. */
function skipRuns(plan: TrackPlan, runs: Map<number, SkippedRun>): TrackPlan {
  const ended = [...runs.values()]
  return {
    ...plan,
    runs: plan.runs.map((run) => runs.get(run.id)?.run ?? run),
    messages: [...plan.messages.filter((message) => !runs.has(message.runId)), ...ended.flatMap((one) => one.messages)],
    waits: plan.waits.filter((wait) => !runs.has(wait.runId)),
    continues: plan.continues && endContinuation(plan.continues, runs),
  }
}

/** Ends a continued run at its gate. */
function endContinuation(continues: RunContinuation, runs: Map<number, SkippedRun>): RunContinuation {
  const run = runs.get(continues.claim.runId)?.run
  if (run === undefined) return continues
  const { branch, state, stateReason, endedAt, trace } = run
  if (state === 'running' || state === 'waiting') throw new Error(`skipped run not ended: ${state}`)
  return { claim: continues.claim, branch, state, stateReason, endedAt, trace, next: null }
}

/** Adds the gate inputs to the traces of the plan's runs, whether their gates were open or shut. */
function addGateInputs(plan: TrackPlan, found: readonly GateInputs[]): TrackPlan {
  const byRun = new Map<number, Map<string, TraceInputs>>()
  for (const { runId, stepId, inputs } of found) {
    const steps = byRun.get(runId) ?? new Map<string, TraceInputs>()
    byRun.set(runId, steps.set(stepId, inputs))
  }
  const { continues } = plan
  const continued = continues === null ? undefined : byRun.get(continues.claim.runId)
  return {
    ...plan,
    runs: plan.runs.map((run) => {
      const ofRun = byRun.get(run.id)
      return ofRun === undefined ? run : { ...run, trace: withInputs(run.trace, ofRun) }
    }),
    continues:
      continues === null || continued === undefined
        ? continues
        : { ...continues, trace: withInputs(continues.trace, continued) },
  }
}

function withInputs(trace: string, byStep: ReadonlyMap<string, TraceInputs>): string {
  const steps = JSON.parse(trace) as TraceStep[]
  for (const step of steps) {
    const inputs = byStep.get(step.stepId)
    if (inputs !== undefined && step.inputs !== undefined) step.inputs = { ...inputs, ...step.inputs }
  }
  return JSON.stringify(steps)
}
