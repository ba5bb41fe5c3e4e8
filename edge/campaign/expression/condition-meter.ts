// Meters a parsed condition: each operation is charged to the budget of its evaluation before it happens.

import { charge, chargeChars, chargeList, chargeText } from './budget.ts'
import { findComparedText, kindOfText, noteDoubt } from './noted-doubts.ts'

/** Elements that all loops (`exists`, `map`, …) of one evaluation visit. */
const MAX_ELEMENTS = 50_000
/** The error of an element, such as a missing key, takes 10 µs: 25,000 of them a quarter of a second. */
const UNITS_PER_ERROR = 40
/** A search that fails at each place compares so many pairs of characters in one unit. */
const PAIRS_PER_UNIT = 256
/** Listing the keys of a large map takes some 250 ns for each. */
const UNITS_PER_KEY = 4
/** Node formats a time in a zone by a new formatter: some 190 µs. */
const ZONED_TIME_UNITS = 2500
/** The library reads durations in quadratic time. */
const MAX_DURATION_CHARS = 64

type Operation = (...parts: unknown[]) => unknown

/**
 * A node of the library with the hooks of its evaluation (version 8.0; they are not in its types). `handle` gets
 * evaluated operands, `evaluate` evaluates the node with them.
 */
interface MeteredNode {
  op: string
  args: unknown
  /** The condition, and where the node stands in it. */
  input: unknown
  start: number
  end: number
  handle?: Operation
  meta: { evaluate: Operation; check: Operation; alternate?: unknown }
  setMeta(key: 'evaluate' | 'check', hook: Operation): void
}

/** The counter of loops; evaluations are synchronous. */
let elements = 0

/** Begins the count of an evaluation. */
export function resetElements(): void {
  elements = 0
}

/**
 * Gives literals of lists and maps the type `dyn`, before types are checked: the library keeps each nested type for
 * ever, so that conditions with many of them would fill the memory.
 */
export function forgetLiteralTypes(ast: unknown): void {
  for (const node of nodesOf(ast)) {
    if (node.op !== 'list' && node.op !== 'map') continue
    const { check } = node.meta
    node.setMeta('check', (checker, ...rest) => {
      check(checker, ...rest)
      return isRecord(checker) ? checker.dynType : undefined
    })
  }
}

/** Charges each node and each operation from now on. Types must have been checked, which sets the hooks. */
export function meter(ast: unknown): void {
  const unitsPerElement = priceOfError(ast)
  for (const node of nodesOf(ast)) {
    const { evaluate } = node.meta
    node.setMeta('evaluate', (...parts) => {
      charge(1)
      return evaluate(...parts)
    })
    const { handle } = node
    const price = priceOf(node)
    if (handle === undefined || price === undefined) continue
    node.handle = (...parts) => {
      price(parts)
      const result = handle(...parts)
      chargeResult(result)
      return result
    }
    if (node.op === 'comprehension' && isRecord(node.args)) countElements(node.args.step, unitsPerElement)
  }
}

/** Types of values are those of their outermost list or map: the library keeps the nested types of all events, too. */
export function useShallowTypes(evaluator: unknown): void {
  if (isRecord(evaluator)) evaluator.debugTypeDeep = evaluator.debugType
}

/** The library counts the lines before an error, which each element of a loop may be. */
function priceOfError(ast: unknown): number {
  const source = isRecord(ast) && typeof ast.input === 'string' ? ast.input : ''
  return source.split('\n').length / 4
}

function countElements(step: unknown, unitsPerElement: number): void {
  for (const node of nodesOf(step).slice(0, 1)) {
    const { evaluate } = node.meta
    node.setMeta('evaluate', (...parts) => {
      if (++elements > MAX_ELEMENTS) charge(Number.POSITIVE_INFINITY)
      charge(unitsPerElement)
      try {
        return evaluate(...parts)
      } catch (error) {
        charge(UNITS_PER_ERROR)
        throw error
      }
    })
  }
}

/** Returns what an operation costs by its operands; undefined where its time does not depend on them. */
function priceOf(node: MeteredNode): ((parts: unknown[]) => void) | undefined {
  const { op, args } = node
  switch (op) {
    case 'in':
      return ([item, list]) => {
        if (!Array.isArray(list)) return
        chargeWhole(list)
        for (const one of list) noteComparison(node, item, one)
      }
    case '+':
      return ([left, right]) => chargeSum(left, right)
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return ([left, right]) => {
        chargeComparison(left, right)
        noteComparison(node, left, right)
      }
    case 'comprehension':
      return ([items]) => chargeKeys(items)
    case 'call':
    case 'rcall':
      return ([operands]) => chargeCall(Array.isArray(args) ? String(args[0]) : '', operands)
    default:
      return undefined
  }
}

function chargeComparison(left: unknown, right: unknown): void {
  if (typeof left === 'string' && typeof right === 'string') chargeChars(Math.min(left.length, right.length))
  else if (isRecord(left) && isRecord(right)) chargeWhole(left)
}

/** Notes a text that meets a number or a boolean, with the comparison as it is written. */
function noteComparison(node: MeteredNode, left: unknown, right: unknown): void {
  const { op, input, start, end } = node
  const found = findComparedText(left, right, op)
  if (found === undefined) return
  noteDoubt('text-compared', node, () => {
    const written = typeof input === 'string' ? input.slice(start, end) : op
    return [`compares a text with ${found.other}: ${written}`, kindOfText(found.text)]
  })
}

/** Charges for each value in a value. */
function chargeWhole(value: unknown): void {
  if (typeof value === 'string') chargeChars(value.length)
  else if (Array.isArray(value)) {
    // Numbers are compared in a quarter of a unit.
    charge(1 + value.length / 4)
    for (const item of value) if (typeof item === 'object' || typeof item === 'string') chargeWhole(item)
  } else if (value instanceof Map) {
    charge(1 + UNITS_PER_KEY * value.size)
    for (const inner of value.values()) chargeWhole(inner)
  } else if (isRecord(value)) {
    charge(1)
    for (const key in value) {
      charge(UNITS_PER_KEY)
      chargeWhole(value[key])
    }
  } else charge(1)
}

function chargeSum(left: unknown, right: unknown): void {
  if (typeof left === 'string' && typeof right === 'string') chargeText(left.length + right.length)
  else if (Array.isArray(left) && Array.isArray(right)) chargeList(left.length + right.length)
  else if (left instanceof Uint8Array && right instanceof Uint8Array) chargeText(left.length + right.length)
}

/** Charges for the keys of a map, which the library lists; a list is free. */
function chargeKeys(value: unknown): void {
  if (!isRecord(value) || Array.isArray(value) || value instanceof Uint8Array) return
  if (value instanceof Map) charge(UNITS_PER_KEY * value.size)
  else for (const _ in value) charge(UNITS_PER_KEY)
}

function chargeCall(name: string, operands: unknown): void {
  if (!Array.isArray(operands)) return
  const [first, second] = operands as readonly unknown[]
  for (const operand of operands as readonly unknown[]) {
    if (typeof operand === 'string' || operand instanceof Uint8Array) chargeChars(operand.length)
    else chargeKeys(operand)
  }
  if (typeof first === 'string' && typeof second === 'string') charge((first.length * second.length) / PAIRS_PER_UNIT)
  if (name === 'split' && typeof first === 'string') charge(first.length)
  if (name === 'join' && Array.isArray(first)) {
    charge(first.length)
    const separator = typeof second === 'string' ? second.length : 0
    let chars = 0
    for (const item of first) chars += separator + (typeof item === 'string' ? item.length : 0)
    chargeText(chars)
  }
  if (first instanceof Date && second !== undefined) charge(ZONED_TIME_UNITS)
  if (name === 'duration' && typeof first === 'string' && first.length > MAX_DURATION_CHARS) {
    throw new Error('A duration is a short text, such as 1h30m.')
  }
}

function chargeResult(result: unknown): void {
  if (typeof result === 'string' || result instanceof Uint8Array) chargeText(result.length)
  else if (Array.isArray(result)) chargeList(result.length)
}

/** Lists all nodes below a node, those that macros were replaced by included. */
function nodesOf(root: unknown): MeteredNode[] {
  const found = new Set<MeteredNode>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (isNode(value)) {
      if (found.has(value)) return
      found.add(value)
      visit(value.meta.alternate)
      visit(value.op === 'comprehension' && isRecord(value.args) ? Object.values(value.args) : value.args)
    }
  }
  visit(root)
  return [...found]
}

function isNode(value: unknown): value is MeteredNode {
  return isRecord(value) && typeof value.op === 'string' && 'meta' in value && 'setMeta' in value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
