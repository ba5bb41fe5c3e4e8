// Reads the routes out of the code: every `addRoute(http, { method, path })`, `addFileRoute(http, path)` and `http.app.get('/…')`
// below edge/http. Specs may spread constants of their file and build paths from them.

import { isNode, isTest, type Node, type Source, treeOf, walk } from './source.ts'

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** Initial values of the constants of a file, by name. */
type Constants = ReadonlyMap<string, Node>

/** `METHOD /path` of each route, sorted; the form that a parameter must have (`:id{…}`) is left out. */
export function routesOf(sources: Source[]): string[] {
  const found = new Set<string>()
  const add = (method: string, path: string) => found.add(`${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '')}`)
  for (const source of sources) {
    if (!source.path.startsWith('edge/http/') || isTest(source.path)) continue
    const tree = treeOf(source)
    const constants = constantsOf(tree)
    walk(tree, (node) => {
      if (node.type === 'ObjectExpression') addSpec(node, constants, add)
      if (node.type === 'CallExpression') addCall(node, constants, add)
    })
  }
  return [...found].sort()
}

function constantsOf(tree: Node): Constants {
  const constants = new Map<string, Node>()
  walk(tree, (node) => {
    if (node.type !== 'VariableDeclarator' || !isNode(node.id) || !isNode(node.init)) return
    if (typeof node.id.name === 'string') constants.set(node.id.name, withoutType(node.init))
  })
  return constants
}

type Add = (method: string, path: string) => void

// Any object literal with a method of the five and a path from the root is a route's spec.
function addSpec(node: Node, constants: Constants, add: Add): void {
  const method = textOf(fieldOf(node, 'method', constants), constants)
  const path = textOf(fieldOf(node, 'path', constants), constants)
  if (method !== undefined && METHODS.has(method) && path?.startsWith('/')) add(method, path)
}

function addCall(node: Node, constants: Constants, add: Add): void {
  const { callee } = node
  if (!isNode(callee)) return
  const [first, second] = node.arguments as Node[]
  if (callee.type === 'Identifier' && callee.name === 'addFileRoute') {
    const path = textOf(second, constants)
    if (path?.startsWith('/')) add('get', path)
  }
  if (callee.type !== 'MemberExpression' || !isNode(callee.property) || !isNode(callee.object)) return
  const owner = isNode(callee.object.property) ? callee.object.property.name : callee.object.name
  const method = callee.property.name
  const path = textOf(first, constants)
  if (owner === 'app' && typeof method === 'string' && METHODS.has(method) && path?.startsWith('/')) add(method, path)
}

/** The last word on a field counts, as it does at run time; a spread constant is looked into. */
function fieldOf(node: Node, key: string, constants: Constants): Node | undefined {
  for (const property of [...(node.properties as Node[])].reverse()) {
    if (property.type === 'SpreadElement') {
      const spread = isNode(property.argument) ? constants.get(String(property.argument.name)) : undefined
      const inside = spread?.type === 'ObjectExpression' ? fieldOf(spread, key, constants) : undefined
      if (inside !== undefined) return inside
    } else if (isNode(property.key) && property.key.name === key && isNode(property.value)) {
      return withoutType(property.value)
    }
  }
  return undefined
}

/** The text of a literal, of a template over constants, or of a constant; undefined for anything else. */
function textOf(node: Node | undefined, constants: Constants): string | undefined {
  if (node === undefined) return undefined
  if (node.type === 'Identifier') return textOf(constants.get(String(node.name)), constants)
  if (node.type !== 'TemplateLiteral') return typeof node.value === 'string' ? node.value : undefined
  const quasis = node.quasis as { value: { cooked: string } }[]
  const values = (node.expressions as Node[]).map((expression) => textOf(expression, constants))
  if (values.includes(undefined)) return undefined
  return quasis.map(({ value }, index) => value.cooked + (values[index] ?? '')).join('')
}

function withoutType(node: Node): Node {
  const isTyped = node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression'
  return isTyped && isNode(node.expression) ? withoutType(node.expression) : node
}
