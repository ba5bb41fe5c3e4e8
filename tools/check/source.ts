// Reads the files of the checkout, their text and their syntax trees, for the rules.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'

/** One finding of a rule. A `warning` is printed and does not fail the check. */
export interface Violation {
  rule: string
  path: string
  line?: number
  message: string
  level: 'error' | 'warning'
}

export interface Source {
  /** Path from the root, with `/`. */
  path: string
  text: string
}

/** A node of the ESTree from Vite's parser; offsets are UTF-16 units. */
export interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** Lists all files that git tracks or would track. */
export function listPaths(root: string): string[] {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], options)
  const paths = new Set(output.split('\0').filter((path) => path !== '' && existsSync(join(root, path))))
  return [...paths].sort()
}

export function readSource(root: string, path: string): Source {
  return { path, text: readFileSync(join(root, path), 'utf8') }
}

export function isCode(path: string): boolean {
  return /\.(ts|mts|mjs|js)$/.test(path)
}

export function isTest(path: string): boolean {
  return /\.(test|suite)\.ts$/.test(path) || /^(edge|widget|dashboard|demo|sdk)\/(.+\/)?(test|suite)\//.test(path)
}

const trees = new WeakMap<Source, Node>()

/** Returns the syntax tree of a source, parsed once. @throws when the source does not parse */
export function treeOf(source: Source): Node {
  const known = trees.get(source)
  if (known !== undefined) return known
  const lang = /\.d\.m?ts$/.test(source.path) ? 'dts' : source.path.endsWith('ts') ? 'ts' : 'js'
  const tree: unknown = parseAst(source.text, { lang })
  trees.set(source, tree as Node)
  return tree as Node
}

/** Calls `visit` for every node, parents before children. */
export function walk(node: Node, visit: (node: Node, parent: Node | null) => void, parent: Node | null = null): void {
  visit(node, parent)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, node)
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Returns the 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
