// Rule: what no line may say (house rule 3): escapes from the type checker, a clock read past the clock, SQL outside the
// stores, secrets read past the settings, notes without an issue.

import { isCode, isNode, isTest, lineAt, type Node, type Source, treeOf, type Violation, walk } from './source.ts'

interface TextRule {
  name: string
  /** What is wrong, or undefined. */
  find(node: Node): string | undefined
  /** Where it holds. */
  holds(path: string): boolean
}

const isOurs = (path: string) => /^(contract|edge|widget|demo|sdk|bench|tools)\//.test(path)
const isEdge = (path: string) => path.startsWith('edge/') && !isTest(path)
const SQL =
  /^\s*(select\s[\s\S]+\sfrom\s|insert\s+(or\s+\w+\s+)?into\s|update\s+\w+\s+set\s|delete\s+from\s|(create|alter|drop)\s+(table|index|unique|trigger|view)\s|pragma\s+\w)/i

const RULES: TextRule[] = [
  {
    name: 'no any',
    find: (node) => (node.type === 'TSAnyKeyword' ? 'no `any`: say what it is, or `unknown`' : undefined),
    holds: isOurs,
  },
  {
    name: 'no double cast',
    find: (node) => (isDoubleCast(node) ? 'no cast through `unknown`: check the value or fix the type' : undefined),
    holds: isOurs,
  },
  {
    name: 'no import in place',
    find: (node) =>
      node.type === 'TSImportType' ? 'import the type at the top, where the import rule sees it' : undefined,
    holds: isOurs,
  },
  {
    name: 'clock',
    find: (node) => (isNow(node) ? 'the time comes from lib/clock.ts' : undefined),
    holds: (path) => isEdge(path) && path !== 'edge/lib/clock.ts' && !path.startsWith('edge/cli/'),
  },
  {
    name: 'console',
    find: (node) => (isMember(node, 'console') ? 'log through lib/log.ts' : undefined),
    holds: (path) =>
      /^(contract|edge|widget|demo|sdk)\//.test(path) &&
      !/^(edge\/cli\/|edge\/lib\/log\.ts|demo\/replay|widget\/elements\/debug\/console-line\.ts)/.test(path),
  },
  {
    name: 'environment',
    find: (node) => (isMember(node, 'process', 'env') ? '`process.env` is read in edge/main.ts alone' : undefined),
    holds: (path) => isEdge(path) && path !== 'edge/main.ts' && !path.startsWith('edge/cli/'),
  },
  {
    name: 'sql',
    find: (node) => (SQL.test(textOf(node) ?? '') ? 'SQL stands in edge/stores alone' : undefined),
    // A peer of a benchmark is a program by itself, with a store of its own.
    holds: (path) => isOurs(path) && !/^(edge\/stores|tools\/check|bench\/peers)\//.test(path),
  },
  {
    name: 'own maps',
    find: (node) =>
      node.type === 'MemberExpression' && isNamed(node.property, 'fetchSockets')
        ? 'who is connected is in realtime/presence.ts: asking each socket, or each node, does not scale'
        : undefined,
    holds: isEdge,
  },
  {
    name: 'import ending',
    find: (node) => (hasBareEnding(node) ? 'a relative import names the file with its ending' : undefined),
    holds: isOurs,
  },
]

export function checkTexts(sources: Source[]): Violation[] {
  return sources
    .filter(({ path }) => isCode(path))
    .flatMap((source) => [...checkTree(source), ...checkComments(source)])
}

function checkTree(source: Source): Violation[] {
  const rules = RULES.filter((rule) => rule.holds(source.path))
  const found: Violation[] = []
  walk(treeOf(source), (node) => {
    for (const rule of rules) {
      const message = rule.find(node)
      if (message === undefined) continue
      found.push({
        rule: rule.name,
        path: source.path,
        line: lineAt(source.text, node.start),
        message,
        level: 'error',
      })
    }
  })
  return found
}

const SILENCED = /@ts-(ignore|expect-error|nocheck)/
const NOTE = /\b(TODO|FIXME|XXX|HACK)\b(?!\s*\(?#\d+)/

// Comments are not in the tree: a comment begins a line or follows white space, so that addresses in strings do not match.
function checkComments({ path, text }: Source): Violation[] {
  return text.split('\n').flatMap((line, index) => {
    const comment = /(^|\s)(\/\/|\/?\*)(.*)$/.exec(line)?.[3]
    if (comment === undefined) return []
    const at = { path, line: index + 1, level: 'error' as const }
    if (SILENCED.test(comment)) return [{ ...at, rule: 'no silenced types', message: 'fix the type instead' }]
    if (NOTE.test(comment)) return [{ ...at, rule: 'notes', message: 'a note needs the number of its issue' }]
    return []
  })
}

function isDoubleCast(node: Node): boolean {
  const inner = node.expression
  return (
    node.type === 'TSAsExpression' &&
    isNode(inner) &&
    inner.type === 'TSAsExpression' &&
    isNode(inner.typeAnnotation) &&
    inner.typeAnnotation.type === 'TSUnknownKeyword'
  )
}

function isNow(node: Node): boolean {
  if (node.type === 'NewExpression') return isNamed(node.callee, 'Date') && (node.arguments as Node[]).length === 0
  return isMember(node, 'Date', 'now')
}

function isMember(node: Node, object: string, property?: string): boolean {
  if (node.type !== 'MemberExpression' || !isNamed(node.object, object)) return false
  return property === undefined || isNamed(node.property, property)
}

function isNamed(node: unknown, name: string): boolean {
  return isNode(node) && node.type === 'Identifier' && node.name === name
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  const parts = node.quasis as { value: { raw: string } }[]
  return parts.map(({ value }) => value.raw).join('x')
}

function hasBareEnding(node: Node): boolean {
  if (!/^(Import|Export)/.test(node.type) || !isNode(node.source)) return false
  const name = node.source.value
  return typeof name === 'string' && name.startsWith('.') && !/\.(ts|mts|mjs|js|json|css)(\?\w+)?$/.test(name)
}
