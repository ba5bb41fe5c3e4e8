// Reads the routes out of the code: every `addRoute(http, { method, path })` and `http.app.get('/…')` below edge/http.

import { isNode, isTest, type Node, type Source, treeOf, walk } from './source.ts'

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** `METHOD /path` of each route, sorted. */
export function routesOf(sources: Source[]): string[] {
  const found = new Set<string>()
  for (const source of sources) {
    if (!source.path.startsWith('edge/http/') || isTest(source.path)) continue
    walk(treeOf(source), (node) => {
      if (node.type === 'ObjectExpression') addSpec(node, found)
      if (node.type === 'CallExpression') addCall(node, found)
    })
  }
  return [...found].sort()
}

// Any object literal with a method of the five and a path from the root is a route's spec.
function addSpec(node: Node, found: Set<string>): void {
  const method = literalOf(node, 'method')
  const path = literalOf(node, 'path')
  if (method !== undefined && METHODS.has(method) && path?.startsWith('/')) found.add(`${method.toUpperCase()} ${path}`)
}

function addCall(node: Node, found: Set<string>): void {
  const callee = node.callee
  if (!isNode(callee) || callee.type !== 'MemberExpression' || !isNode(callee.property) || !isNode(callee.object))
    return
  const owner = isNode(callee.object.property) ? callee.object.property.name : callee.object.name
  const method = callee.property.name
  const path = (node.arguments as Node[])[0]?.value
  if (owner !== 'app' || typeof method !== 'string' || !METHODS.has(method)) return
  if (typeof path === 'string' && path.startsWith('/')) found.add(`${method.toUpperCase()} ${path}`)
}

function literalOf(node: Node, key: string): string | undefined {
  const property = (node.properties as Node[]).find(({ key: name }) => isNode(name) && name.name === key)
  const value = property?.value
  if (isNode(value) && value.type === 'TSAsExpression') return stringOf(value.expression)
  return stringOf(value)
}

function stringOf(value: unknown): string | undefined {
  return isNode(value) && typeof value.value === 'string' ? value.value : undefined
}
