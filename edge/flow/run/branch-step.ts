// Runs a step `branch`: chooses one way and walks it (contract section 6).

import { tellOperands } from '../../domain/run/trace-inputs.ts'
import { chooseBranch } from '../../domain/steps/branch.ts'
import type { CompiledBranchStep } from '../../domain/steps/compiled.ts'
import { addTrace, type Course, conditionScopeOf, type RunSteps } from './course.ts'

/** After a branch's steps the run goes on behind it; its key stays in the branch of later messages. */
export function runBranchStep(course: Course, step: CompiledBranchStep, runSteps: RunSteps): void {
  const at = course.deps.clock.now()
  const { start } = course
  const seed = `${start.campaign.campaign.id}\n${start.user.id}`
  const scope = conditionScopeOf(course)
  const { branch, reason, judged, point } = chooseBranch(step, scope, seed)
  const inputs = tellOperands(judged, scope)
  if (point !== undefined) inputs.point = Math.round(point * 10_000) / 10_000
  addTrace(course, step, branch === undefined ? 'not-taken' : 'taken', reason, at, inputs)
  if (branch === undefined) return
  course.branches.push(branch.key)
  runSteps(course, branch.steps)
}
