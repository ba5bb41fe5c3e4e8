// Parses templates and computes the charge of each node. Loops and ranges are charged when their bounds are known.

import {
  ForTag,
  type Liquid,
  type Template as Node,
  Parser,
  type Token,
  Tokenizer,
  TypeGuards,
  toValueSync,
  Value,
} from 'liquidjs'
import { boundRange, meterLoop } from './liquid-loops.ts'

/** Bound the time and memory of parsing: 20 µs and 2 KB a tag. */
const MAX_TAGS = 3000
const MAX_TAG_CHARS = 32_768
/** Of tags, and of parentheses and brackets. Each level is a scope to look in, or calls on the stack. */
const MAX_LEVELS = 64

/** In units: a node takes 0.5 to 1 µs without its expressions, and a step of them 0.1 to 0.3 µs. */
const NODE = 10
const STEP = 3
const CHARS_PER_UNIT = 8

export interface Parsed {
  nodes: Node[]
  readsProfile: boolean
}

const units = new WeakMap<Node, number>()

/** @returns the charge of rendering a node once, without its children */
export function unitsOf(node: Node): number {
  return units.get(node) ?? NODE
}

/**
 * Parses a template and computes the charge of each node.
 * @param name of the snippet that it is, for what says where it ended
 * @throws Error for a fault, with a token where the engine knows the place
 */
export function parse(engine: Liquid, source: string, name?: string): Parsed {
  if (source.split(/\{[{%]/, MAX_TAGS + 2).length > MAX_TAGS + 1)
    throw new Error(`A template has at most ${MAX_TAGS} tags and outputs.`)
  const tokens = new Tokenizer(source, engine.options.operators, name).readTopLevelTokens(engine.options)
  const chars = tokens.reduce((sum, token) => sum + (TypeGuards.isDelimitedToken(token) ? token.size() : 0), 0)
  if (chars > MAX_TAG_CHARS) throw new Error(`Tags and outputs have at most ${MAX_TAG_CHARS} characters together.`)
  const parsed: Parsed = { nodes: new Parser(engine).parseTokens(tokens), readsProfile: false }
  for (const node of parsed.nodes) meterNode(node, parsed, 1)
  return parsed
}

/** @throws Error with the place of a node within too many others */
function checkLevel(level: number, token: Token | undefined): void {
  if (level > MAX_LEVELS) throw Object.assign(new Error('The template is nested too deep.'), { token })
}

function meterNode(node: Node, parsed: Parsed, level: number): void {
  checkLevel(level, node.token)
  let steps = 0
  for (const argument of node.arguments?.() ?? []) steps += meterArgument(argument, parsed, 0)
  const chars = TypeGuards.isTagToken(node.token) ? node.token.size() : 0
  units.set(node, NODE + STEP * steps + chars / CHARS_PER_UNIT)
  if (node instanceof ForTag) meterLoop(node)
  if (node.children === undefined) return
  for (const child of toValueSync(node.children(false, true)) as Node[]) meterNode(child, parsed, level + 1)
}

/** @returns the steps of evaluating it */
function meterArgument(argument: Value | Token | undefined, parsed: Parsed, level: number): number {
  if (argument === undefined) return 0
  const sum = (tokens: (Token | undefined)[]) =>
    tokens.reduce((steps, token) => steps + meterArgument(token, parsed, level + 1), 1)
  if (argument instanceof Value || TypeGuards.isFilteredValueToken(argument)) {
    const args = argument.filters.flatMap((filter) => filter.args.map((arg) => (Array.isArray(arg) ? arg[1] : arg)))
    return sum(argument.initial.postfix) + (argument.filters.length > 0 ? sum(args) : 0) + argument.filters.length
  }
  checkLevel(level, argument)
  if (TypeGuards.isRangeToken(argument)) {
    const steps = sum([argument.lhs, argument.rhs])
    boundRange(argument)
    return steps
  }
  if (!TypeGuards.isPropertyAccessToken(argument)) return 1
  if (mayReadProfile(argument)) parsed.readsProfile = true
  return sum([argument.variable, ...argument.props])
}

function mayReadProfile({ variable, props }: { variable?: unknown; props: Token[] }): boolean {
  if (variable !== undefined) return false
  const [root, property] = props.map((prop) => ('content' in prop ? prop.content : undefined))
  return root === undefined || (root === 'user' && property !== 'id')
}
