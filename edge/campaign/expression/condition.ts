// Compiles and evaluates conditions: CEL over event, user, enriched and awaited. Checked when saved; bounded; never
// throws at run time.

import { type ASTNode, Environment, type ParseResult } from '@marcbachmann/cel-js'
import { findInstant } from '../../../contract/instant.ts'
import { countUnits, OverBudget, withBudget } from './budget.ts'
import {
  type ConditionFault,
  EVALUATED_TIME_CALL,
  findForbiddenCall,
  findRead,
  listOperands,
  type Operand,
  rewrite,
} from './condition-ast.ts'
import { forgetLiteralTypes, meter, resetElements, useShallowTypes } from './condition-meter.ts'
import { findConstantFault, SAMPLE_TYPES, SAMPLES, type Trial } from './constant-calls.ts'
import { withMaps } from './constructor-keys.ts'
import { bracketHint, isTextCompared, numberHint, operatorHint, summaryOf } from './fault-hints.ts'
import { noteDoubt } from './noted-doubts.ts'
import { mayReadProfile } from './profile-reads.ts'

export type { ConditionFault } from './condition-ast.ts'

const MAX_CHARS = 4096
const EARLY_AWAITED = 'awaited is known only after a waitFor.'
/** A condition without loops is evaluated where all tenants are served; the worst one found took 15 ms. */
const PLAIN_UNITS = 100_000
const LOOP_UNITS = 1_000_000
const TRIAL_UNITS = 30_000

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
  /** True when it has no loops, and so a small budget. */
  isPlain: boolean
  source: string
  /** The paths that it reads, for the trace. */
  operands: readonly Operand[]
  evaluate(scope: ConditionScope): Verdict
}

/** Arithmetic between numbers of events (doubles) and integer literals. */
const ARITHMETIC: Record<string, (left: number, right: number) => number> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
}

const cel = createCel()

function createCel(): { checked: Environment; evaluated: Environment } {
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
  // Numbers of events are doubles.
  checked.registerFunction('timestamp(double): google.protobuf.Timestamp', toTimestamp)
  const evaluated = checked.clone({ limits: { maxAstNodes: 5000, maxDepth: 100 } })
  for (const type of ['string', 'double', 'int']) {
    evaluated.registerFunction(`${EVALUATED_TIME_CALL}(${type}): google.protobuf.Timestamp`, toTimestamp)
  }
  for (const [name, type] of Object.entries(SAMPLE_TYPES)) evaluated.registerVariable(name, type)
  evaluated.registerFunction('__self(): bool', function (this: unknown) {
    useShallowTypes(this)
    return true
  })
  evaluated.evaluate('__self()')
  return { checked, evaluated }
}

/** @param value A time in a form that the service takes anywhere (`contract/instant.ts`). @throws Error for anything else. */
function toTimestamp(value: string | number | bigint): Date {
  const at = findInstant(typeof value === 'bigint' ? Number(value) : value)
  if (at === undefined) throw new Error('timestamp() needs an ISO 8601 time with its offset, or Unix time')
  return new Date(at)
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
    forgetLiteralTypes(ast)
    const forbidden = findForbiddenCall(ast)
    if (forbidden !== undefined) return { fault: forbidden }
    const position = knowsAwaited ? undefined : findRead(ast, 'awaited')
    if (position !== undefined) return { fault: { message: EARLY_AWAITED, position } }
    const { valid, type, error } = parsed.check()
    if (!valid) return { fault: toFault(error, source) }
    if (type !== 'bool' && type !== 'dyn')
      return { fault: { message: `A condition is true or false; this one is ${type}.`, position: 0 } }
    const impossible = withTrials(() => findConstantFault(ast, trial))
    if (impossible !== undefined) return { fault: impossible }
  } catch (error) {
    return { fault: toFault(error, source) }
  }
  return { condition: mustCompileCondition(source) }
}

const trial: Trial = {
  overloads: cel.checked.getDefinitions().functions,
  parse(part) {
    try {
      const written = rewrite(part, cel.evaluated.parse(part).ast)
      return () => parseMetered(written)(SAMPLES)
    } catch {
      return undefined
    }
  },
}

/** All constants of a condition have one budget, of some 5 ms. What is beyond it is not tried. */
function withTrials(find: () => ConditionFault | undefined): ConditionFault | undefined {
  try {
    return withBudget(find, TRIAL_UNITS)
  } catch (error) {
    if (error instanceof OverBudget) return undefined
    throw error
  }
}

/** Compiling a condition takes some 2 µs a character. */
const COMPILED_CHAR_UNITS = 20

/** Words of loops. A condition that has one of them elsewhere is not plain either, which is harmless. */
const LOOP_WORDS = /\b(?:all|exists|exists_one|map|filter)\b/

/**
 * Compiles a condition that was checked when it was saved: when it is first evaluated, since a sandbox may do that, and not
 * this process. Evaluation is an error when it has a fault all the same.
 */
export function mustCompileCondition(source: string): Condition {
  const isPlain = !LOOP_WORDS.test(source)
  const units = isPlain ? PLAIN_UNITS : LOOP_UNITS
  let evaluated: string | undefined
  let run: ParseResult | undefined
  let operands: Operand[] | undefined
  const condition: Condition = {
    readsProfile: mayReadProfile(source),
    isPlain,
    source,
    get operands() {
      operands ??= listOperands(cel.checked.parse(source).ast)
      return operands
    },
    evaluate(scope) {
      try {
        if (run === undefined) countUnits(source.length * COMPILED_CHAR_UNITS)
        evaluated ??= rewrite(source, parseAllowed(source))
        run ??= parseMetered(evaluated)
      } catch (error) {
        return toError(condition, summaryOf(error))
      }
      return evaluate(condition, run, scope, units, evaluated)
    },
  }
  return condition
}

/** An import brings conditions that nobody has checked. @throws Error for a call that has no bound */
function parseAllowed(source: string): ASTNode {
  const { ast } = cel.checked.parse(source)
  const forbidden = findForbiddenCall(ast)
  if (forbidden !== undefined) throw new Error(forbidden.message)
  return ast
}

/** Finds a read of `awaited` without a waitFor before it; undefined when there is none. */
export function findEarlyAwaited(source: string): ConditionFault | undefined {
  if (source.length > MAX_CHARS || !source.includes('awaited')) return undefined
  try {
    const { ast } = cel.checked.parse(source)
    const position = findForbiddenCall(ast) === undefined ? findRead(ast, 'awaited') : undefined
    return position === undefined ? undefined : { message: EARLY_AWAITED, position }
  } catch {
    // Whoever compiles it finds that fault.
    return undefined
  }
}

/** Parses a checked source, whose inserted calls do not count towards its limits. */
function parseMetered(source: string): ParseResult {
  const parsed = cel.evaluated.parse(source)
  forgetLiteralTypes(parsed.ast)
  const { valid, error } = parsed.check()
  if (!valid) throw error ?? new Error('condition invalid after its check')
  meter(parsed.ast)
  return parsed
}

/** Evaluates to false, with the reason for the trace, for a missing key or a type that does not fit. */
function evaluate(
  condition: Condition,
  run: ParseResult,
  scope: ConditionScope,
  units: number,
  source: string,
): Verdict {
  resetElements()
  try {
    const value = withBudget(() => runAnyKeys(run, scope), units)
    if (value === true) return { holds: true }
    if (value === false) return { holds: false, outcome: 'false', reason: 'the condition is false' }
    return toError(condition, 'the condition is neither true nor false')
  } catch (error) {
    if (error instanceof OverBudget) return toError(condition, `the condition ${error.message} on this event`)
    // The comparison itself was noted where it was made.
    if (!isTextCompared(summaryOf(error))) return toError(condition, explain(error, source))
    return { holds: false, outcome: 'error', reason: explain(error, source) }
  }
}

/** Runs it again where an object of the scope may have a key that the library takes for its type. */
function runAnyKeys(run: ParseResult, scope: ConditionScope): unknown {
  try {
    return run(scope)
  } catch (error) {
    if (error instanceof OverBudget || summaryOf(error).startsWith('No such key')) throw error
    const readable = withMaps(scope)
    if (readable === scope) throw error
    resetElements()
    return run(readable)
  }
}

/** Notes that a condition could not be evaluated. @returns The verdict */
function toError(condition: Condition, reason: string): Verdict {
  noteDoubt('condition-error', condition, () => [`a condition ended in an error: ${condition.source}`, reason])
  return { holds: false, outcome: 'error', reason }
}

function toFault(error: unknown, source: string): ConditionFault {
  const { start } = rangeOf(error)
  const explained = explain(error, source)
  // Of a condition that runs, all signs are ours.
  const hint = explained === summaryOf(error) ? operatorHint(source, start) : undefined
  const message = hint === undefined ? explained : `${explained}. ${hint}`
  return typeof start === 'number' ? { message, position: start } : { message }
}

/** Returns the summary, with the form that works where there is one. */
function explain(error: unknown, source: string): string {
  const summary = summaryOf(error)
  const { start, end } = rangeOf(error)
  const hint = bracketHint(source, start) ?? numberHint(summary, source.slice(start, end))
  return hint === undefined ? summary : `${summary}. ${hint}`
}

/** Returns the part of the source that the library reports; empty for other errors. */
function rangeOf(error: unknown): { start?: number; end?: number } {
  const range: unknown = typeof error === 'object' && error !== null && 'range' in error ? error.range : undefined
  return typeof range === 'object' && range !== null ? range : {}
}
