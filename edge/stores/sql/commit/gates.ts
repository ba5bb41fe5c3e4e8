// Decides the gates of a batch, and turns each plan with one into what is really written (contract section 6, `throttle` and `digest`).

import type { DigestGate, Diversion, Gate, ThrottleGate } from '../../../domain/gate.ts'
import type { TrackPlan } from '../../../domain/plan.ts'
import type { RunContinuation } from '../../../domain/run/run-wait.ts'
import { formatId } from '../../../lib/id.ts'
import type { Sql } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { gatherDigests } from './digest.ts'
import { type Learned, tellLearned } from './gate-learned.ts'
import { getUserNo } from './recipients.ts'
import { type Asked, findThrottled } from './throttle.ts'

export interface Passed {
  /** What is written of a plan: itself where it has no gate that was shut. */
  planOf(plan: TrackPlan): TrackPlan
  /** Whether a run that waits is due at once by this plan. */
  hurries(plan: TrackPlan): boolean
  /** What can only be done when the waits of the batch are written. */
  finish(sql: Sql): Promise<void>
}

/** A run on its way past its gates. */
interface Comer {
  plan: TrackPlan
  userNo: number
  left: Gate[]
}

const NOBODY: Passed = { planOf: (plan) => plan, hurries: () => false, finish: async () => {} }

/** In rounds: what a run meets second is asked only when it is past the first. Within a round, in the order of the plans. */
export async function passGates(context: WriteContext, plans: TrackPlan[]): Promise<Passed> {
  let comers = plans.flatMap((plan) => comersOf(context, plan))
  if (comers.length === 0) return NOBODY
  const diverted = new Map<TrackPlan, Map<number, Diversion>>()
  const hurried = new Set<TrackPlan>()
  const learned = new Map<TrackPlan, Learned[]>()
  const finishers: ((sql: Sql) => Promise<void>)[] = []
  while (comers.length > 0) {
    const { joined, filling, hurry } = await gatherDigests(context, askedOf(comers, 'digest'))
    const throttled = await findThrottled(context, askedOf(comers, 'throttle'))
    finishers.push(hurry)
    for (const { plan, left } of comers) {
      const inputs = learnedOf(left[0], throttled.before, joined)
      if (inputs !== undefined) learned.set(plan, [...(learned.get(plan) ?? []), inputs])
    }
    for (const { plan, left } of comers) if (left[0]?.kind === 'digest' && filling.has(left[0])) hurried.add(plan)
    const isShut = (gate: Gate) => (gate.kind === 'digest' ? joined.has(gate) : throttled.shut.has(gate))
    comers = comers.flatMap((comer) => {
      const [gate, ...left] = comer.left
      if (gate !== undefined && isShut(gate)) {
        const ofPlan = diverted.get(comer.plan) ?? new Map<number, Diversion>()
        diverted.set(comer.plan, ofPlan.set(gate.runId, gate.otherwise))
        return []
      }
      return left.length === 0 ? [] : [{ ...comer, left }]
    })
  }
  const written = new Map([...diverted].map(([plan, runs]) => [plan, divert(plan, runs)]))
  for (const [plan, found] of learned) written.set(plan, tellLearned(written.get(plan) ?? plan, found))
  return {
    planOf: (plan) => written.get(plan) ?? plan,
    hurries: (plan) => hurried.has(plan),
    async finish(sql) {
      for (const finish of finishers) await finish(sql)
    },
  }
}

/** What the transaction has found out about a gate. A window is of one version, so the run that is joined is of the same. */
function learnedOf(
  gate: Gate | undefined,
  before: ReadonlyMap<Gate, number>,
  joined: ReadonlyMap<DigestGate, number>,
): Learned | undefined {
  if (gate === undefined) return undefined
  const { runId, stepId } = gate
  if (gate.kind === 'throttle') return { runId, stepId, inputs: { count: before.get(gate) ?? 0 } }
  const into = joined.get(gate)
  if (into === undefined) return undefined
  return { runId, stepId, inputs: { joined: { runId: formatId('run', into), version: gate.version } } }
}

/** Each run of the plan that has gates, in the order of the plan. */
function comersOf(context: WriteContext, plan: TrackPlan): Comer[] {
  if (plan.gates === undefined || plan.gates.length === 0) return []
  const byRun = new Map<number, Gate[]>()
  for (const gate of plan.gates) {
    const before = byRun.get(gate.runId)
    if (before === undefined) byRun.set(gate.runId, [gate])
    else before.push(gate)
  }
  return [...byRun.values()].map((left) => {
    const userNo = getUserNo(context, plan.environmentId, left[0]?.userId ?? '')
    return { plan, userNo, left }
  })
}

function askedOf(comers: Comer[], kind: 'digest'): Asked<DigestGate>[]
function askedOf(comers: Comer[], kind: 'throttle'): Asked<ThrottleGate>[]
function askedOf(comers: Comer[], kind: Gate['kind']): Asked<Gate>[] {
  return comers.flatMap(({ plan, userNo, left: [gate] }) =>
    gate?.kind === kind ? [{ gate, userNo, environmentId: plan.environmentId }] : [],
  )
}

/** The plan with these runs gone the other way: without their messages and jobs, with the records in place of them. */
function divert(plan: TrackPlan, runs: Map<number, Diversion>): TrackPlan {
  const diversions = [...runs.values()]
  return {
    ...plan,
    runs: plan.runs.map((run) => runs.get(run.id)?.run ?? run),
    messages: [
      ...plan.messages.filter((message) => !runs.has(message.runId)),
      ...diversions.flatMap((diversion) => diversion.messages),
    ],
    waits: plan.waits.filter((wait) => !runs.has(wait.runId)),
    continues: plan.continues && divertContinuation(plan.continues, runs),
  }
}

/** A run that was carried on, and ends at the gate. */
function divertContinuation(continues: RunContinuation, runs: Map<number, Diversion>): RunContinuation {
  const run = runs.get(continues.claim.runId)?.run
  if (run === undefined) return continues
  const { branch, state, stateReason, endedAt, trace } = run
  if (state === 'running' || state === 'waiting') throw new Error('A run that a gate diverts has ended.')
  return { claim: continues.claim, branch, state, stateReason, endedAt, trace, next: null }
}
