// The step `branch`: conditions, then a stable split by weight, then else (contract section 6).

import { createHash } from 'node:crypto'
import type { Branch, BranchStep, Step } from '../campaign.ts'
import { type Condition, type ConditionScope, compileCondition } from '../expression/condition.ts'
import type { CompiledBranch, CompiledBranchStep, CompiledStep } from './compiled.ts'
import { KEY_GRAMMAR, KEY_RULE, MAX_KEY_CHARS } from './key.ts'
import type { Reader } from './reader.ts'

const MAX_BRANCHES = 20
const MAX_WEIGHT = 1000

/** Reads the steps of a field, one level deeper. */
export type ParseSteps = (reader: Reader, key: string) => Step[]

export function parseBranchStep(
  reader: Reader,
  id: string,
  parseSteps: ParseSteps,
  known: { hasWaitFor: boolean },
): BranchStep {
  if (!reader.has('branches')) reader.fault('branches', 'This is missing.')
  const readers = reader.objects('branches', MAX_BRANCHES) ?? []
  const branches = readers.map((branch) => parseBranch(branch, parseSteps, known))
  const list = reader.raw('branches')
  if (Array.isArray(list) && list.length === 0) reader.fault('branches', 'A branch step needs at least one branch.')
  checkTogether(readers, branches)
  return { id, type: 'branch', branches }
}

function parseBranch(reader: Reader, parseSteps: ParseSteps, { hasWaitFor }: { hasWaitFor: boolean }): Branch {
  const key = reader.text('key', MAX_KEY_CHARS) ?? ''
  if (key !== '' && !KEY_GRAMMAR.test(key)) reader.fault('key', KEY_RULE)
  const given = ['when', 'weight', 'else'].filter((field) => reader.has(field) && reader.raw(field) !== false)
  if (given.length !== 1) reader.fault(given[1] ?? 'when', 'A branch has exactly one of when, weight and else.')
  const when = reader.condition('when', hasWaitFor)
  const weight = parseWeight(reader)
  if (reader.has('else') && typeof reader.raw('else') !== 'boolean') reader.fault('else', 'This must be true.')
  if (!reader.has('steps')) reader.fault('steps', 'This is missing.')
  const branch: Branch = { key, steps: parseSteps(reader, 'steps') }
  if (when !== undefined) branch.when = when
  if (weight !== undefined) branch.weight = weight
  if (reader.raw('else') === true) branch.else = true
  return branch
}

function parseWeight(reader: Reader): number | undefined {
  const weight = reader.raw('weight')
  if (weight === undefined) return undefined
  if (typeof weight === 'number' && weight >= 0 && weight <= MAX_WEIGHT) return weight
  reader.fault('weight', `A weight is a number from 0 to ${MAX_WEIGHT}.`)
  return undefined
}

function checkTogether(readers: Reader[], branches: Branch[]): void {
  const keys = new Set<string>()
  let elses = 0
  branches.forEach((branch, index) => {
    const reader = readers[index] as Reader
    if (branch.key !== '' && keys.has(branch.key)) reader.fault('key', 'Another branch of this step has that key.')
    keys.add(branch.key)
    if (branch.else && ++elses === 2) reader.fault('else', 'Only one branch can be the else.')
  })
  const weighted = branches.findIndex((branch) => branch.weight !== undefined)
  if (weighted >= 0 && branches.every((branch) => (branch.weight ?? 0) === 0)) {
    readers[weighted]?.fault('weight', 'The weights of a step must not all be 0.')
  }
}

export function compileBranchStep(
  step: BranchStep,
  compileSteps: (steps: Step[]) => CompiledStep[],
): CompiledBranchStep {
  return {
    type: 'branch',
    id: step.id,
    branches: step.branches.map((branch) => ({
      key: branch.key,
      when: branch.when === undefined ? null : mustCompileCondition(branch.when),
      weight: branch.weight ?? null,
      isElse: branch.else === true,
      steps: compileSteps(branch.steps),
    })),
  }
}

/** A condition that was checked when it was saved. Throws when it has a fault after all. */
export function mustCompileCondition(source: string): Condition {
  const compiled = compileCondition(source)
  if ('fault' in compiled) throw new Error(`A stored condition has a fault: ${compiled.fault.message}`)
  return compiled.condition
}

/** The branch taken, if any, why, and from what. */
export interface Choice {
  branch: CompiledBranch | undefined
  reason: string
  /** The conditions that were asked. */
  judged: Condition[]
  /** Where the split put the user, from 0 to 1; undefined when it was not asked. */
  point?: number
}

/** `seed` names campaign and user, so that the split stays as it is. */
export function chooseBranch(step: CompiledBranchStep, scope: ConditionScope, seed: string): Choice {
  const faults: string[] = []
  const judged: Condition[] = []
  for (const branch of step.branches) {
    if (branch.when === null) continue
    judged.push(branch.when)
    const verdict = branch.when.evaluate(scope)
    if (verdict.holds) return { branch, reason: withFaults(`${branch.key}: the condition holds`, faults), judged }
    if (verdict.outcome === 'error') faults.push(`${branch.key}: ${verdict.reason}`)
  }
  const split = chooseByWeight(step.branches, `${seed}\n${step.id}`)
  if (split !== undefined) {
    const { branch, point } = split
    return { branch, reason: withFaults(`${branch.key}: by weight`, faults), judged, point }
  }
  const otherwise = step.branches.find((branch) => branch.isElse)
  if (otherwise !== undefined)
    return { branch: otherwise, reason: withFaults(`${otherwise.key}: else`, faults), judged }
  return { branch: undefined, reason: withFaults('no branch applies', faults), judged }
}

function withFaults(reason: string, faults: string[]): string {
  return [reason, ...faults].join('; ').slice(0, 500)
}

/** The same seed always falls on the same point between 0 and 1; the weights divide that line in their order. */
function chooseByWeight(
  branches: CompiledBranch[],
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
