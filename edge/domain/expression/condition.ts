// Conditions: CEL over event, user, enriched and awaited (contract section 6). Checked when saved, bounded, never throwing at run time.

import { performance } from 'node:perf_hooks'
import { type ASTNode, Environment, type ParseResult, serialize } from '@marcbachmann/cel-js'
import {
  type ConditionFault,
  findForbiddenCall,
  findRead,
  listOperands,
  type Operand,
  readAst,
  roundIntegers,
  withProfileHas,
  withSteps,
} from './condition-ast.ts'

export type { ConditionFault } from './condition-ast.ts'

const MAX_CHARS = 4096
/**
 * Elements that all macros (`exists`, `map`, …) of one evaluation may visit. The count decides, so that the same event has
 * the same verdict on a busy machine; the time, the processor’s, only stops what makes each element dear.
 */
const MAX_ELEMENTS = 20_000
const MAX_MS = 250

/** What a condition sees. Objects are plain JSON. */
export interface ConditionScope {
  event: object
  user: object
  enriched: object
  awaited?: object
}

export type Verdict = { holds: true } | { holds: false; outcome: 'false' | 'error'; reason: string }

export interface Condition {
  /** True when it reads of the user more than `user.id`: then the profile must be at hand. */
  readsProfile: boolean
  source: string
  /** What it reads, for the trace. */
  operands: readonly Operand[]
  evaluate(scope: ConditionScope): Verdict
}

/** Thrown once a budget is spent, always the same object: loops that swallow errors then end at next to no cost. */
const OVER_BUDGET = new Error('over budget')
const budget = { elements: 0, begun: process.cpuUsage(), lookAt: 0, spent: false }

/** Called before each element that a macro visits; evaluation is synchronous, so one budget is enough. */
function step(): boolean {
  if (!budget.spent && (++budget.elements > MAX_ELEMENTS || isOverTime(performance.now()))) budget.spent = true
  if (budget.spent) throw OVER_BUDGET
  return true
}

/** The processor is asked when the clock says that it may be over, which a machine that stands still or is busy says too early. */
function isOverTime(now: number): boolean {
  if (budget.elements === 1) {
    budget.begun = process.cpuUsage()
    budget.lookAt = now + MAX_MS
  }
  if (now < budget.lookAt) return false
  const { user, system } = process.cpuUsage(budget.begun)
  const leftMs = MAX_MS - (user + system) / 1000
  budget.lookAt = now + Math.max(leftMs, 1)
  return leftMs < 0
}

const STEP_CALL = '__step()'
/** Arithmetic in which numbers of events (doubles) mix with integer literals. */
const ARITHMETIC: Record<string, (left: number, right: number) => number> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
}

const cel = createCel()

function createCel(): { checked: Environment; stepped: Environment } {
  const checked = new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 500, maxDepth: 32, maxListElements: 200, maxMapEntries: 100, maxCallArguments: 8 },
  })
  for (const root of ['event', 'user', 'enriched', 'awaited']) checked.registerVariable(root, 'dyn')
  for (const [operator, apply] of Object.entries(ARITHMETIC)) {
    checked.registerOperator(`double ${operator} int: double`, (left: number, right: bigint) =>
      apply(left, Number(right)),
    )
    checked.registerOperator(`int ${operator} double: double`, (left: bigint, right: number) =>
      apply(Number(left), right),
    )
  }
  // The library adds the mirror image and `!=` by itself.
  checked.registerOperator(
    'double == int',
    (left: number | bigint, right: number | bigint) => Number(left) === Number(right),
  )
  checked.registerOperator('double % double: double', (left: number, right: number) => left % right)
  const stepped = checked.clone({ limits: { maxAstNodes: 5000, maxDepth: 100 } })
  stepped.registerFunction('__step(): bool', step)
  return { checked, stepped }
}

/**
 * The fault of a condition as the customer wrote it, or the condition ready to run. `knowsAwaited` is false where no waitFor
 * can have been before: there `awaited` would make it false for ever.
 */
export function compileCondition(
  source: string,
  { knowsAwaited = true }: { knowsAwaited?: boolean } = {},
): { condition: Condition } | { fault: ConditionFault } {
  if (source.length > MAX_CHARS) return { fault: { message: `A condition has at most ${MAX_CHARS} characters.` } }
  let ast: ASTNode
  try {
    const parsed = cel.checked.parse(source)
    ast = parsed.ast
    const forbidden = findForbiddenCall(ast)
    if (forbidden !== undefined) return { fault: forbidden }
    const position = knowsAwaited ? undefined : findRead(ast, 'awaited')
    if (position !== undefined) return { fault: { message: 'awaited is known behind a waitFor only.', position } }
    const { valid, type, error } = parsed.check()
    if (!valid) return { fault: toFault(error) }
    if (type !== 'bool' && type !== 'dyn')
      return { fault: { message: `A condition is true or false; this one is ${type}.`, position: 0 } }
  } catch (error) {
    return { fault: toFault(error) }
  }
  const reads = readAst(ast)
  const meant = parseRounded(withProfileHas(source, ast))
  const run = reads.loops ? parseStepped(meant.ast) : meant
  const evaluates = (scope: ConditionScope) => evaluate(run, scope)
  return { condition: { readsProfile: reads.profile, source, operands: listOperands(ast), evaluate: evaluates } }
}

/** Of a source that was checked; what was put into it does not count. */
function parseRounded(source: string): ParseResult {
  const parsed = cel.stepped.parse(source)
  roundIntegers(parsed.ast)
  return parsed
}

/** The same condition, with every element that its loops visit counted. */
function parseStepped(ast: ASTNode): ParseResult {
  // `serialize` writes characters beyond 16 bits as two escapes, which the parser refuses.
  const text = serialize(ast).replace(
    /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/g,
    (_, high: string, low: string) => {
      const code = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0
      return `\\U${code.toString(16).padStart(8, '0')}`
    },
  )
  return cel.stepped.parse(withSteps(text, cel.stepped.parse(text).ast, STEP_CALL))
}

/** A missing key or a type that does not fit makes the condition false, with the reason for the trace. */
function evaluate(run: ParseResult, scope: ConditionScope): Verdict {
  budget.elements = 0
  budget.spent = false
  try {
    const value: unknown = run(scope)
    if (budget.spent) return { holds: false, outcome: 'error', reason: 'the condition costs too much on this event' }
    if (value === true) return { holds: true }
    if (value === false) return { holds: false, outcome: 'false', reason: 'the condition is false' }
    return { holds: false, outcome: 'error', reason: 'the condition is neither true nor false' }
  } catch (error) {
    if (budget.spent) return { holds: false, outcome: 'error', reason: 'the condition costs too much on this event' }
    return { holds: false, outcome: 'error', reason: summaryOf(error) }
  }
}

function toFault(error: unknown): ConditionFault {
  const range = typeof error === 'object' && error !== null && 'range' in error ? error.range : undefined
  const start = typeof range === 'object' && range !== null && 'start' in range ? range.start : undefined
  const fault: ConditionFault = { message: summaryOf(error) }
  return typeof start === 'number' ? { ...fault, position: start } : fault
}

/** The library's one-line summary, without the excerpt of the source that its message carries. */
function summaryOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the condition could not be evaluated'
  const summary = 'summary' in error && typeof error.summary === 'string' ? error.summary : error.message
  return (summary.split('\n')[0] ?? '').slice(0, 200)
}
