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
export function childrenOf(value: unknown): ASTNode[] {
  if (isNode(value)) return [value]
  return Array.isArray(value) ? value.flatMap(childrenOf) : []
}

function* nodesOf(node: ASTNode): Generator<ASTNode> {
  yield node
  for (const child of childrenOf(node.args)) yield* nodesOf(child)
}

/** Returns the name and arguments of a call with a receiver (`list.map(x, …)`); the receiver is the first argument. */
export function callOf(node: ASTNode): { name: string; args: ASTNode[] } | undefined {
  if (node.op !== 'rcall' && node.op !== 'call') return undefined
  const [name, ...rest] = node.args as readonly unknown[]
  return typeof name === 'string' ? { name, args: rest.flatMap(childrenOf) } : undefined
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

/** The library takes texts of other forms than the service does, and allows no other function of the same name. */
const TIME_CALL = 'timestamp'
export const EVALUATED_TIME_CALL = '__timestamp'

/** Returns the condition as it is evaluated; its positions may differ. */
export function rewrite(source: string, ast: ASTNode): string {
  let text = source
  for (const { start, end, other } of replacementsOf(ast, source).sort((a, b) => b.start - a.start)) {
    text = text.slice(0, start) + other + text.slice(end)
  }
  return text
}

function replacementsOf(node: ASTNode, source: string): { start: number; end: number; other: string }[] {
  const { start, end } = node
  if (node.op === 'call' && callOf(node)?.name === TIME_CALL) {
    const name = { start, end: start + TIME_CALL.length, other: EVALUATED_TIME_CALL }
    return [name, ...childrenOf(node.args).flatMap((child) => replacementsOf(child, source))]
  }
  const other = isProfileHas(node) ? hasValue(source.slice(start, end)) : quoteLargeInteger(node)
  if (other !== undefined) return [{ start, end, other }]
  return childrenOf(node.args).flatMap((child) => replacementsOf(child, source))
}

/**
 * Tests `has(user.email)` for a value: a profile has all of its fields, so CEL would always answer true.
 * `user.email == null` stays true for a missing value, as with CEL's wrapper types.
 */
function isProfileHas(node: ASTNode): boolean {
  const call = callOf(node)
  const path = call?.name === 'has' && call.args[0] !== undefined ? pathOf(call.args[0]) : undefined
  return path?.length === 2 && path[0] === 'user' && PROFILE_FIELDS.has(path[1] as string)
}

// A loop variable may also be named `user` and have any type, so its own field is tested first.
const hasValue = (has: string) => `(${has} && dyn${has.slice('has'.length)} != null)`

/**
 * Turns an integer literal beyond ±(2^53 − 1) into the text of its digits, as the reader of events does
 * (`lib/read-json.ts`): otherwise an id of 17 digits would never equal itself.
 */
function quoteLargeInteger({ op, args }: ASTNode): string | undefined {
  if (op === '-_' && isLarge(args)) return `"-${args.args}"`
  return isLarge({ op, args }) ? `"${args}"` : undefined
}

function isLarge(node: unknown): node is { args: bigint } {
  const { op, args } = node as { op: unknown; args: unknown }
  return op === 'value' && typeof args === 'bigint' && !Number.isSafeInteger(Number(args))
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

export function pathOf(node: ASTNode): string[] | undefined {
  if (node.op === 'id') return ROOTS.has(String(node.args)) ? [String(node.args)] : undefined
  if ((node.op !== '.' && node.op !== '[]') || !Array.isArray(node.args)) return undefined
  const [of, key] = node.args as readonly unknown[]
  const before = isNode(of) ? pathOf(of) : undefined
  const name = node.op === '.' ? key : isNode(key) && key.op === 'value' ? key.args : undefined
  if (before === undefined || (typeof name !== 'string' && typeof name !== 'bigint')) return undefined
  return [...before, String(name)]
}
