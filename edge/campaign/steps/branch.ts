// Splits a run: by the first true condition, then by a stable weighted split, then else.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { CompiledStep, RunState } from '../compiled.ts'
import { type Condition, type ConditionScope, mustCompileCondition } from '../expression/condition.ts'
import { conditionScopeOf } from '../run-state.ts'
import { addTrace, formatOperands } from '../trace.ts'
import { condition, key, optional } from './fields.ts'
import { type AnyStep, type CheckContext, defineStep, has, itemsOf, type Written } from './step-type.ts'

const MAX_BRANCHES = 20
const MAX_WEIGHT = 1000
const WAYS = ['when', 'weight', 'else']

export const branchStep = defineStep('branch', {
  description:
    'Takes the first branch whose condition holds, else one by weight (the same for a user each time), else the else.',
  fields: (steps) => ({
    branches: z
      .array(
        z
          .strictObject({
            key: key(),
            steps,
            when: optional(condition()),
            weight: optional(weight()),
            else: optional(z.boolean()),
          })
          .meta({ id: 'Branch', description: 'Exactly one of `when`, `weight` and `else`.' })
          .overwrite((branch) => (branch.else === true ? branch : { ...branch, else: undefined })),
      )
      .min(1, 'A branch step needs at least one branch.')
      .max(MAX_BRANCHES, `At most ${MAX_BRANCHES} items.`),
  }),
  lists: [['branches', 'steps']],
  namesBranches: true,
  ways: (written) => itemsOf(written, 'branches').map((branch) => String(branch.written.key)),
  check(written, context) {
    const branches = itemsOf(written, 'branches')
    for (const { path, written: branch } of branches) {
      const given = WAYS.filter((way) => has(branch, way) && branch[way] !== false)
      const rule = 'A branch has exactly one of when, weight and else.'
      if (given.length !== 1) context.fault(`${path}.${given[1] ?? 'when'}`, rule)
      context.checkAwaited(`${path}.when`, branch.when)
    }
    checkTogether(branches, context)
  },
  compile({ id, type, branches: written }, { compileSteps }) {
    const branches = compileBranches(written, compileSteps)
    return {
      id,
      type,
      inner: branches.map(({ steps }) => steps),
      readsProfile: branches.some(({ when }) => when?.readsProfile === true),
      isPlain: branches.every(({ when }) => when?.isPlain !== false),
      run(run, runSteps) {
        takeBranch(run, this, branches, runSteps)
      },
      // Takes branches like a run, because they decide which messages there would have been.
      skipEvaluates: true,
      skip(run, _unsent, skipSteps) {
        takeBranch(run, this, branches, skipSteps)
      },
    }
  },
})

function weight() {
  const rule = `A weight is a number from 0 to ${MAX_WEIGHT}.`
  return z.number(rule).min(0, rule).max(MAX_WEIGHT, rule)
}

function checkTogether(branches: { path: string; written: Written }[], context: CheckContext): void {
  const keys = new Set<unknown>()
  let elses = 0
  for (const { path, written } of branches) {
    const isKey = typeof written.key === 'string' && written.key !== ''
    if (isKey && keys.has(written.key)) context.fault(`${path}.key`, 'Another branch of this step has that key.')
    keys.add(written.key)
    if (written.else === true && ++elses === 2) context.fault(`${path}.else`, 'Only one branch can be the else.')
  }
  const weighted = branches.find(({ written }) => typeof written.weight === 'number')
  if (weighted !== undefined && branches.every(({ written }) => Number(written.weight ?? 0) === 0)) {
    context.fault(`${weighted.path}.weight`, 'The weights of a step must not all be 0.')
  }
}

interface CompiledBranch {
  key: string
  when: Condition | null
  weight: number | null
  isElse: boolean
  steps: CompiledStep[]
}

export interface WrittenBranch {
  key: string
  when?: string | null | undefined
  weight?: number | null | undefined
  else?: boolean | null | undefined
  steps: AnyStep[]
}

export function compileBranches(
  branches: readonly WrittenBranch[],
  compileSteps: (steps: AnyStep[]) => CompiledStep[],
): CompiledBranch[] {
  return branches.map((branch) => ({
    key: branch.key,
    when: branch.when == null ? null : mustCompileCondition(branch.when),
    weight: branch.weight ?? null,
    isElse: branch.else === true,
    steps: compileSteps(branch.steps),
  }))
}

/** Runs a branch's steps. Then the run continues after this step, and later messages keep the branch's key. */
function takeBranch(
  run: RunState,
  step: CompiledStep,
  branches: readonly CompiledBranch[],
  runSteps: (run: RunState, steps: CompiledStep[]) => void,
): void {
  const at = run.deps.clock.now()
  const { start } = run
  const scope = conditionScopeOf(run)
  const seed = `${start.campaign.campaign.id}\n${start.user.id}\n${step.id}`
  const { branch, reason, judged, point } = chooseBranch(branches, scope, seed)
  const inputs = formatOperands(judged, scope)
  if (point !== undefined) inputs.point = Math.round(point * 10_000) / 10_000
  addTrace(run, step, branch === undefined ? 'not-taken' : 'taken', reason, at, inputs, branch?.key)
  if (branch === undefined) return
  run.branches.push(branch.key)
  runSteps(run, branch.steps)
}

/** The branch taken, if any, with the reason and the deciding values. */
interface Choice {
  branch: CompiledBranch | undefined
  reason: string
  /** The conditions that were evaluated. */
  judged: Condition[]
  /** Position of the user in the split, from 0 to 1; undefined when no weight decided. */
  point?: number
}

/** Chooses a branch. `seed` contains campaign, user and step, so that a user's branch stays the same. */
export function chooseBranch(branches: readonly CompiledBranch[], scope: ConditionScope, seed: string): Choice {
  const faults: string[] = []
  const judged: Condition[] = []
  for (const branch of branches) {
    if (branch.when === null) continue
    judged.push(branch.when)
    const verdict = branch.when.evaluate(scope)
    if (verdict.holds) return { branch, reason: withFaults(`${branch.key}: the condition holds`, faults), judged }
    if (verdict.outcome === 'error') faults.push(`${branch.key}: ${verdict.reason}`)
  }
  const split = chooseByWeight(branches, seed)
  if (split !== undefined) {
    const { branch, point } = split
    return { branch, reason: withFaults(`${branch.key}: by weight`, faults), judged, point }
  }
  const otherwise = branches.find((branch) => branch.isElse)
  if (otherwise !== undefined)
    return { branch: otherwise, reason: withFaults(`${otherwise.key}: else`, faults), judged }
  return { branch: undefined, reason: withFaults('no branch applies', faults), judged }
}

function withFaults(reason: string, faults: string[]): string {
  return [reason, ...faults].join('; ').slice(0, 500)
}

/** Chooses by weight: a seed always maps to the same point from 0 to 1, which the weights divide in their order. */
function chooseByWeight(
  branches: readonly CompiledBranch[],
  seed: string,
): { branch: CompiledBranch; point: number } | undefined {
  const total = branches.reduce((sum, branch) => sum + (branch.weight ?? 0), 0)
  if (total === 0) return undefined
  const point = createHash('sha256').update(seed).digest().readUIntBE(0, 6) / 2 ** 48
  let left = point * total
  for (const branch of branches) {
    if (branch.weight === null) continue
    if (left < branch.weight) return { branch, point }
    left -= branch.weight
  }
  const last = branches.findLast((branch) => (branch.weight ?? 0) > 0)
  return last && { branch: last, point }
}
