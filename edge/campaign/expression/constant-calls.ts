// Finds calls of a condition that cannot work, whatever the data is: those whose constants do not fit their function.

import { type ASTNode, serialize } from '@marcbachmann/cel-js'
import { Duration } from '@marcbachmann/cel-js/evaluator'
import { findTimeZone } from '../../domain/sending/time-zone.ts'
import { MAX_TEXT_CHARS, OverBudget } from './budget.ts'
import { type ConditionFault, callOf, childrenOf, pathOf } from './condition-ast.ts'
import { summaryOf } from './fault-hints.ts'

/** What takes the place of data in a trial; customers cannot name them. */
export const SAMPLES = {
  __word: 'x'.repeat(64),
  __text: 'x'.repeat(MAX_TEXT_CHARS),
  __bytes: Buffer.alloc(MAX_TEXT_CHARS),
  __int: BigInt(MAX_TEXT_CHARS),
  __time: new Date(0),
}
export const SAMPLE_TYPES: Record<keyof typeof SAMPLES, string> = {
  __word: 'string',
  __text: 'string',
  __bytes: 'bytes',
  __int: 'int',
  __time: 'google.protobuf.Timestamp',
}
const BY_TYPE: Record<string, string[]> = {
  string: ['__word', '__text'],
  bytes: ['__bytes'],
  int: ['0', '__int'],
  'google.protobuf.Timestamp': ['__time'],
}
/** Calls with names for elements; their parts are tried, not they. */
const MACROS = new Set(['has', 'all', 'exists', 'exists_one', 'map', 'filter'])
/** What may leave one of its operands aside; all of them are tried. */
const CHOICES = new Set(['&&', '||', '?:'])
/** Operations that times and durations have, too. */
const TIMED = new Set(['<', '<=', '>', '>=', '+', '-'])
const LITERALS = new Set(['value', 'id', 'list', 'map'])

interface Overload {
  name: string
  receiverType: string | null
  params: { type: string }[]
}

/** How parts of a condition are tried. */
export interface Trial {
  overloads: readonly Overload[]
  /** @returns What evaluates a part, in which samples may stand; undefined for one that cannot be written by itself */
  parse(part: string): (() => unknown) | undefined
}

/**
 * @returns The fault of the first such call; undefined without one
 * @throws OverBudget
 */
export function findConstantFault(node: ASTNode, trial: Trial): ConditionFault | undefined {
  const isKnown = isConstant(node)
  const tried = isKnown && !LITERALS.has(node.op) ? attempt(serialize(node), trial) : undefined
  if (tried?.works === true) return undefined
  for (const child of childrenOf(node.args)) {
    const fault = findConstantFault(child, trial)
    if (fault !== undefined) return fault
  }
  const message = tried?.reason ?? (isKnown ? undefined : findPartFault(node, trial))
  return message === undefined ? undefined : toFault(node, message)
}

/** @returns Whether a part has the same value for all data, and evaluates all of itself */
function isConstant(node: ASTNode): boolean {
  if (node.op === 'id' || CHOICES.has(node.op) || MACROS.has(callOf(node)?.name ?? '')) return false
  return childrenOf(node.args).every(isConstant)
}

/** @throws OverBudget */
function attempt(part: string, trial: Trial): { works: boolean; value?: unknown; reason?: string } {
  const evaluate = trial.parse(part)
  if (evaluate === undefined) return { works: true }
  try {
    return { works: true, value: evaluate() }
  } catch (error) {
    if (error instanceof OverBudget) throw error
    return { works: false, reason: summaryOf(error) }
  }
}

/** @returns Why an operation of data with constants fails for all data; undefined where it may work */
function findPartFault(node: ASTNode, trial: Trial): string | undefined {
  if (node.op === 'rcall') return findTextCall(node) ?? findCallFault(node, trial)
  if (TIMED.has(node.op)) return findTextOperation(node, trial)
  const last = childrenOf(node.args).at(-1)
  if (last === undefined || !isConstant(last) || !['/', '%', '[]'].includes(node.op)) return undefined
  const { value } = attempt(serialize(last), trial)
  if (typeof value !== 'bigint') return undefined
  if (node.op !== '[]') return value === 0n ? 'Nothing can be divided by 0' : undefined
  return value < 0n ? 'The places of a list begin at 0' : undefined
}

/** Data are JSON, which has no times: one is a text or a number. */
function findTextCall(node: ASTNode): string | undefined {
  const { name = '', args: [receiver, zone] = [] } = callOf(node) ?? {}
  if (!ZONED.test(name) || receiver === undefined || !isData(receiver)) return undefined
  const data = serialize(receiver)
  return `${data} is a text or a number. Write timestamp(${data}).${name}(${zone === undefined ? '' : zoneOf(zone)})`
}

function findTextOperation(node: ASTNode, trial: Trial): string | undefined {
  const sides = childrenOf(node.args)
  const data = sides.find(isData)
  const other = sides.find((side) => side !== data)
  if (data === undefined || other === undefined || !isConstant(other) || LITERALS.has(other.op)) return undefined
  const { value } = attempt(serialize(other), trial)
  if (!(value instanceof Date || value instanceof Duration)) return undefined
  const type = value instanceof Date || '+-'.includes(node.op) ? 'timestamp' : 'duration'
  const [left, right] = sides.map((side) => (side === data ? `${type}(${serialize(side)})` : serialize(side)))
  return `${serialize(data)} is a text or a number. Write ${left} ${node.op} ${right}`
}

/** @returns Whether it reads data. A loop's element that is named as data are counts as one. */
function isData(node: ASTNode): boolean {
  return (pathOf(node)?.length ?? 0) > 1
}

/** Tries a call with constants in each of its forms. */
function findCallFault(node: ASTNode, trial: Trial): string | undefined {
  const { name = '', args: operands = [] } = callOf(node) ?? {}
  if (MACROS.has(name) || !operands.slice(1).some(isConstant)) return undefined
  const forms = trial.overloads.filter((one) => one.name === name && one.params.length === operands.length - 1)
  let reason: string | undefined
  for (const { receiverType, params } of forms) {
    const types = [receiverType, ...params.map(({ type }) => type)]
    for (const [receiver, ...args] of combine(operands.map((operand, at) => candidatesOf(operand, types[at], at)))) {
      const tried = attempt(`${receiver}.${name}(${args.join(', ')})`, trial)
      if (tried.works) return undefined
      reason ??= tried.reason
    }
  }
  return reason
}

/** A text that is data may be any, so that no sample shows a fault; a number has its least and its largest value. */
function candidatesOf(operand: ASTNode, type: string | null | undefined, at: number): string[] {
  if (isConstant(operand)) return [`(${serialize(operand)})`]
  return at === 0 || type === 'int' ? (BY_TYPE[type ?? ''] ?? ['']) : ['']
}

function combine([first, ...rest]: readonly string[][]): string[][] {
  if (first === undefined) return [[]]
  return combine(rest).flatMap((others) => first.map((one) => [one, ...others]))
}

function toFault(node: ASTNode, reason: string): ConditionFault {
  const form = reason.includes('Write ') ? undefined : formOf(node)
  const message = form === undefined ? `${reason}.` : `${reason}. ${form}`
  return { message, position: node.start }
}

const ZONED = /^get[A-Z]/
/** By function or operator; a reason that shows its own form has none here. */
const FORMS: Record<string, string> = {
  timestamp: 'Write a time with its offset, such as timestamp("2026-01-31T12:00:00Z").',
  duration: 'Write hours, minutes and seconds, such as duration("36h30m").',
  int: 'Write a whole number, such as int("42").',
  uint: 'Write a whole number from 0, such as uint("42").',
  double: 'Write a number, such as double("4.5").',
  bool: 'Write bool("true") or bool("false").',
  substring: 'Write places from 0, the end behind the start, such as substring(0, 3).',
  indexOf: 'Write a place from 0, such as indexOf("a", 0).',
  lastIndexOf: 'Write a place from 0, such as lastIndexOf("a", 0).',
  at: 'Write a place from 0, such as at(0).',
  '[]': 'Write a place from 0, such as [0].',
}

/** @returns The form that works; undefined where the reason says it */
function formOf(node: ASTNode): string | undefined {
  const { name = node.op, args = [] } = callOf(node) ?? {}
  if (!ZONED.test(name)) return Object.hasOwn(FORMS, name) ? FORMS[name] : undefined
  const zone = args.at(-1)
  return zone && `Write a zone by its IANA name, such as ${name}(${zoneOf(zone)}).`
}

/** @returns A zone as it is written; of a constant that is none, the nearest one */
function zoneOf(zone: ASTNode): string {
  if (zone.op !== 'value' || typeof zone.args !== 'string') return serialize(zone)
  return `"${findTimeZone(zone.args) ?? 'Europe/Berlin'}"`
}
