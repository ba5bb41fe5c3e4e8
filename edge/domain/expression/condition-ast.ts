// What a condition's syntax tree tells: calls that are not allowed, which data it reads, where its loops are (contract section 6).

import type { ASTNode } from '@marcbachmann/cel-js'

/** `position` is a 0-based offset in the condition. */
export interface ConditionFault {
  message: string
  position?: number
}

/** Macros that visit elements, with the index of the argument that is evaluated for each. */
const LOOPS = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

/** Calls that cannot be bounded: backtracking expressions, and `bind`, which doubles a value at every use. */
const FORBIDDEN: Record<string, string> = {
  matches: 'Regular expressions are not available in conditions; use startsWith, endsWith or contains.',
  bind: 'cel.bind is not available in conditions.',
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'start' in value
}

/** The nodes right below; arguments nest in plain arrays. */
function childrenOf(value: unknown): ASTNode[] {
  if (isNode(value)) return [value]
  return Array.isArray(value) ? value.flatMap(childrenOf) : []
}

function* nodesOf(node: ASTNode): Generator<ASTNode> {
  yield node
  for (const child of childrenOf(node.args)) yield* nodesOf(child)
}

/** The name and arguments of a call with a receiver (`list.map(x, …)`); the receiver stands first. */
function callOf(node: ASTNode): { name: string; args: ASTNode[] } | undefined {
  if (node.op !== 'rcall' && node.op !== 'call') return undefined
  const [name, ...rest] = node.args as readonly unknown[]
  return typeof name === 'string' ? { name, args: rest.flatMap(childrenOf) } : undefined
}

/**
 * Makes of each integer literal the double nearest to it, as JSON made of the numbers of events: an id of 17 digits would
 * never equal itself otherwise.
 */
export function roundIntegers(ast: ASTNode): void {
  for (const node of nodesOf(ast)) {
    const literal = node as { args: unknown }
    if (node.op === 'value' && typeof literal.args === 'bigint') literal.args = BigInt(Number(literal.args))
  }
}

export function findForbiddenCall(ast: ASTNode): ConditionFault | undefined {
  for (const node of nodesOf(ast)) {
    const name = callOf(node)?.name
    if (name !== undefined && Object.hasOwn(FORBIDDEN, name)) {
      return { message: FORBIDDEN[name] as string, position: node.start }
    }
  }
  return undefined
}

/** Where the condition first reads of a variable; undefined where it never does. */
export function findRead(ast: ASTNode, variable: string): number | undefined {
  for (const node of nodesOf(ast)) if (node.op === 'id' && node.args === variable) return node.start
  return undefined
}

/** `profile`: it reads of `user` more than `user.id`. `loops`: it has macros that visit elements. */
export function readAst(ast: ASTNode): { profile: boolean; loops: boolean } {
  const reads = { profile: false, loops: false }
  const idReads = new Set<unknown>()
  for (const node of nodesOf(ast)) {
    if (node.op === '.' && Array.isArray(node.args) && node.args[1] === 'id') idReads.add(node.args[0])
    if (node.op === 'id' && node.args === 'user' && !idReads.has(node)) reads.profile = true
    if (LOOPS.has(callOf(node)?.name ?? '')) reads.loops = true
  }
  return reads
}

/** Fields of a profile that are null while nothing is known. */
const PROFILE_FIELDS = new Set(['email', 'name', 'locale', 'timeZone'])

/**
 * The text in which `has(user.email)` asks whether the user has one, as whoever writes it means. A profile has all of its
 * fields, so CEL alone says that it is there; `user.email == null` stays true where it is not, as with CEL's wrapper types.
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
    // A loop may have called its element `user`, of any type; its own field is asked for first.
    text = `${text.slice(0, node.start)}(${has} && dyn${has.slice('has'.length)} != null)${text.slice(node.end)}`
  }
  return text
}

const ROOTS = new Set(['event', 'user', 'enriched', 'awaited'])
/** More would not help who reads the trace. */
const MAX_OPERANDS = 16

/** What a condition reads of its data. */
export interface Operand {
  /** `event.properties.total` */
  name: string
  path: readonly string[]
}

/** The data that a condition reads: the longest paths that are constant, each once. */
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

/**
 * The text with a call before each element of every loop, so that its cost can be counted. `text` must be as `serialize`
 * writes it: no comments, so that between an argument and the comma before it there are only spaces and parentheses.
 */
export function withSteps(text: string, ast: ASTNode, stepCall: string): string {
  const inserts: { at: number; text: string }[] = []
  for (const node of nodesOf(ast)) {
    const call = callOf(node)
    if (call === undefined || !LOOPS.has(call.name)) continue
    // Receiver and variable stand first; of what follows the first is evaluated for each element.
    const [, , perElement, transform] = call.args
    if (perElement === undefined) continue
    const from = text.lastIndexOf(',', perElement.start) + 1
    const to = transform === undefined ? node.end - 1 : text.lastIndexOf(',', transform.start)
    const isTransform = call.name === 'map' && transform === undefined
    inserts.push({ at: from, text: isTransform ? `${stepCall} ? dyn(` : `${stepCall} ? (` })
    inserts.push({ at: to, text: isTransform ? ') : dyn(null)' : ') : false' })
  }
  let stepped = text
  for (const { at, text: insert } of inserts.sort((one, other) => other.at - one.at)) {
    stepped = stepped.slice(0, at) + insert + stepped.slice(at)
  }
  return stepped
}
