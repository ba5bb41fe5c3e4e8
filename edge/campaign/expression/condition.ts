// Compiles and evaluates conditions: CEL over event, user, enriched and awaited. Checked when saved; bounded; never
// throws at run time.

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
const EARLY_AWAITED = 'awaited is known only after a waitFor.'
/**
 * Limits the elements that all macros (`exists`, `map`, …) of one evaluation visit. The count is the same on a busy
 * machine, so an event has the same result there; the processor time only stops expensive elements.
 */
const MAX_ELEMENTS = 20_000
const MAX_MS = 250

/** The data of a condition. Objects are plain JSON. */
export interface ConditionScope {
  event: object
  user: object
  enriched: object
  awaited?: object
}

export type Verdict = { holds: true } | { holds: false; outcome: 'false' | 'error'; reason: string }

export interface Condition {
  /** True when it reads more of the user than `user.id`, so the profile must be loaded. */
  readsProfile: boolean
  source: string
  /** The paths that it reads, for the trace. */
  operands: readonly Operand[]
  evaluate(scope: ConditionScope): Verdict
}

/** Thrown beyond the budget. Always the same object, so that loops that swallow errors end at almost no cost. */
const OVER_BUDGET = new Error('over budget')
const budget = { elements: 0, begun: process.cpuUsage(), checkAt: 0, spent: false }

/** Runs before each element of a macro. Evaluation is synchronous, so one budget is enough. */
function step(): boolean {
  if (!budget.spent && (++budget.elements > MAX_ELEMENTS || isOverTime(performance.now()))) budget.spent = true
  if (budget.spent) throw OVER_BUDGET
  return true
}

/**
 * Reads the processor time only when the clock reports the limit, as a stalled or busy machine reaches that too early.
 */
function isOverTime(now: number): boolean {
  if (budget.elements === 1) {
    budget.begun = process.cpuUsage()
    budget.checkAt = now + MAX_MS
  }
  if (now < budget.checkAt) return false
  const { user, system } = process.cpuUsage(budget.begun)
  const leftMs = MAX_MS - (user + system) / 1000
  budget.checkAt = now + Math.max(leftMs, 1)
  return leftMs < 0
}

const STEP_CALL = '__step()'
/** Arithmetic between numbers of events (doubles) and integer literals. */
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
  // The library adds the reversed operands and `!=` itself.
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
 * Compiles a customer's condition. @returns its fault, or the condition. `knowsAwaited` is false where no waitFor can
 * come before: there, a condition on `awaited` would always be false.
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
    if (position !== undefined) return { fault: { message: EARLY_AWAITED, position } }
    const { valid, type, error } = parsed.check()
    if (!valid) return { fault: toFault(error) }
    if (type !== 'bool' && type !== 'dyn')
      return { fault: { message: `A condition is true or false; this one is ${type}.`, position: 0 } }
  } catch (error) {
    return { fault: toFault(error) }
  }
  const reads = readAst(ast)
  const rounded = parseRounded(withProfileHas(source, ast))
  const run = reads.loops ? parseStepped(rounded.ast) : rounded
  const evaluates = (scope: ConditionScope) => evaluate(run, scope)
  return { condition: { readsProfile: reads.profile, source, operands: listOperands(ast), evaluate: evaluates } }
}

/** Compiles a condition that was checked when it was saved. @throws when it has a fault all the same */
export function mustCompileCondition(source: string): Condition {
  const compiled = compileCondition(source)
  if ('fault' in compiled) throw new Error(`stored condition invalid: ${compiled.fault.message}`)
  return compiled.condition
}

/** Finds a read of `awaited` without a waitFor before it; undefined when there is none. */
export function findEarlyAwaited(source: string): ConditionFault | undefined {
  const compiled = compileCondition(source, { knowsAwaited: false })
  return 'fault' in compiled && compiled.fault.message === EARLY_AWAITED ? compiled.fault : undefined
}

/** Parses a checked source, whose inserted calls do not count towards its limits. */
function parseRounded(source: string): ParseResult {
  const parsed = cel.stepped.parse(source)
  roundIntegers(parsed.ast)
  return parsed
}

/** Parses the condition with a counting call for every element of its loops. */
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

/** Evaluates to false, with the reason for the trace, for a missing key or a type that does not fit. */
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

/** Returns the library's one-line summary without its excerpt of the source. */
function summaryOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the condition could not be evaluated'
  const summary = 'summary' in error && typeof error.summary === 'string' ? error.summary : error.message
  return (summary.split('\n')[0] ?? '').slice(0, 200)
}
