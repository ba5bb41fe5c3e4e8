// Analyses the syntax tree of a condition: forbidden calls, the data that it reads, and its loops.

import type { ASTNode } from '@marcbachmann/cel-js'

/** A fault; `position` is a 0-based offset in the condition. */
export interface ConditionFault {
  message: string
  position?: number
}

/** Calls without a bound: regular expressions with backtracking, and `bind`, which doubles a value at every use. */
const FORBIDDEN: Record<string, string> = {
  matches: 'Regular expressions are not available in conditions; use startsWith, endsWith or contains.',
  bind: 'cel.bind is not available in conditions.',
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'start' in value
}

/** Returns the direct child nodes; arguments are in plain arrays. */
function childrenOf(value: unknown): ASTNode[] {
  if (isNode(value)) return [value]
  return Array.isArray(value) ? value.flatMap(childrenOf) : []
}

function* nodesOf(node: ASTNode): Generator<ASTNode> {
  yield node
  for (const child of childrenOf(node.args)) yield* nodesOf(child)
}

/** Returns the name and arguments of a call with a receiver (`list.map(x, …)`); the receiver is the first argument. */
function callOf(node: ASTNode): { name: string; args: ASTNode[] } | undefined {
  if (node.op !== 'rcall' && node.op !== 'call') return undefined
  const [name, ...rest] = node.args as readonly unknown[]
  return typeof name === 'string' ? { name, args: rest.flatMap(childrenOf) } : undefined
}

/**
 * Rounds each integer literal to the nearest double, as JSON does with the numbers of events: otherwise an id of 17
 * digits would never equal itself.
 */
export function roundIntegers(ast: ASTNode): void {
  for (const node of nodesOf(ast)) {
    const literal = node as { args: unknown }
    if (node.op === 'value' && typeof literal.args === 'bigint') literal.args = BigInt(Number(literal.args))
  }
}

/** Finds the first forbidden call; undefined without one. */
export function findForbiddenCall(ast: ASTNode): ConditionFault | undefined {
  for (const node of nodesOf(ast)) {
    const name = callOf(node)?.name
    if (name !== undefined && Object.hasOwn(FORBIDDEN, name)) {
      return { message: FORBIDDEN[name] as string, position: node.start }
    }
  }
  return undefined
}

/** Finds the position of the first read of a variable; undefined without one. */
export function findRead(ast: ASTNode, variable: string): number | undefined {
  for (const node of nodesOf(ast)) if (node.op === 'id' && node.args === variable) return node.start
  return undefined
}

/** Fields of a profile that are null while no value is known. */
const PROFILE_FIELDS = new Set(['email', 'name', 'locale', 'timeZone'])

/**
 * Rewrites `has(user.email)` to test for a value: a profile has all of its fields, so CEL would always answer true.
 * `user.email == null` stays true for a missing value, as with CEL's wrapper types.
 */
export function withProfileHas(source: string, ast: ASTNode): string {
  const asked = [...nodesOf(ast)].filter((node) => {
    const call = callOf(node)
    const path = call?.name === 'has' && call.args[0] !== undefined ? pathOf(call.args[0]) : undefined
    return path?.length === 2 && path[0] === 'user' && PROFILE_FIELDS.has(path[1] as string)
  })
  let text = source
  for (const node of asked.sort((one, other) => other.start - one.start)) {
    const has = source.slice(node.start, node.end)
    // A loop variable may also be named `user` and have any type, so its own field is tested first.
    text = `${text.slice(0, node.start)}(${has} && dyn${has.slice('has'.length)} != null)${text.slice(node.end)}`
  }
  return text
}

const ROOTS = new Set(['event', 'user', 'enriched', 'awaited'])
/** More operands would not help readers of the trace. */
const MAX_OPERANDS = 16

/** A path that a condition reads. */
export interface Operand {
  /** Such as `event.properties.total`. */
  name: string
  path: readonly string[]
}

/** Lists the data that a condition reads: the longest constant paths, each once. */
export function listOperands(ast: ASTNode): Operand[] {
  const found = new Map<string, Operand>()
  const walk = (node: ASTNode): void => {
    const path = pathOf(node)
    if (path === undefined) for (const child of childrenOf(node.args)) walk(child)
    else if (path.length > 1) found.set(path.join('\n'), { name: path.join('.'), path })
  }
  walk(ast)
  return [...found.values()].slice(0, MAX_OPERANDS)
}

function pathOf(node: ASTNode): string[] | undefined {
  if (node.op === 'id') return ROOTS.has(String(node.args)) ? [String(node.args)] : undefined
  if ((node.op !== '.' && node.op !== '[]') || !Array.isArray(node.args)) return undefined
  const [of, key] = node.args as readonly unknown[]
  const before = isNode(of) ? pathOf(of) : undefined
  const name = node.op === '.' ? key : isNode(key) && key.op === 'value' ? key.args : undefined
  if (before === undefined || (typeof name !== 'string' && typeof name !== 'bigint')) return undefined
  return [...before, String(name)]
}
