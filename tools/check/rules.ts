// Checks what neither Biome (biome.json, `tools/check/rules/`) nor dependency-cruiser has a rule for:
// lines of a function without its inner ones, words in names and comments, first lines, and files of re-exports alone.

import { isCode, isNode, isTest, lineAt, type Node, type Source, treeOf, type Violation, walk } from './source.ts'

export function checkRules(sources: Source[]): Violation[] {
  return sources.flatMap((source) => {
    const words = checkPath(source.path)
    if (!isCode(source.path)) return words
    const ours = isTest(source.path) ? [] : [...checkFunctions(source), ...checkDeclarations(source)]
    return [...words, ...checkFirstLine(source), ...checkBarrel(source), ...checkComments(source), ...ours]
  })
}

const MAX_FUNCTION_LINES = 60
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
// Translations and generated files have no limit.
const FREE = /(^|\/)locales\/|\.generated\.ts$|\.d\.m?ts$/

function checkFunctions(source: Source): Violation[] {
  if (FREE.test(source.path)) return []
  const found: Violation[] = []
  walk(treeOf(source), (node, parent) => {
    if (!FUNCTIONS.has(node.type)) return
    const lines = ownLines(source, node)
    if (lines <= MAX_FUNCTION_LINES) return
    const message = `function ${nameOf(node, parent)} has ${lines} lines of its own, at most ${MAX_FUNCTION_LINES}`
    found.push(error('function size', source, lineAt(source.text, node.start), message))
  })
  return found
}

/** Counts the lines of a function without nested functions, because a factory is read one inner function at a time. */
function ownLines(source: Source, root: Node): number {
  let lines = spanOf(source, root)
  let coveredTo = -1
  walk(root, (node) => {
    if (node === root || !FUNCTIONS.has(node.type) || node.start < coveredTo) return
    coveredTo = node.end
    lines -= spanOf(source, node) - 1
  })
  return lines
}

function spanOf({ text }: Source, node: Node): number {
  return lineAt(text, node.end) - lineAt(text, node.start) + 1
}

function nameOf(node: Node, parent: Node | null): string {
  const named = [node.id, parent?.id, parent?.key] as (Node | null | undefined)[]
  const name = named.find((candidate) => typeof candidate?.name === 'string')?.name
  return typeof name === 'string' ? name : '(without a name)'
}

const FORBIDDEN = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'shared',
  'base',
  'manager',
  'service',
  'usecase',
  'impl',
]

function checkPath(path: string): Violation[] {
  const words = path.toLowerCase().split(/[/._-]/)
  return FORBIDDEN.filter((word) => words.includes(word) && !path.startsWith('docs/')).map((word) => ({
    rule: 'names',
    path,
    message: `"${word}" says nothing about what is inside`,
    level: 'error',
  }))
}

// Checks exported names for the same words. A type named `Event` alone is forbidden as well.
function checkDeclarations(source: Source): Violation[] {
  return (treeOf(source).body as Node[]).flatMap(declaredNames).flatMap(({ name, start }) => {
    const words = name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase())
    const word = name === 'Event' ? name : FORBIDDEN.find((forbidden) => words.includes(forbidden))
    if (word === undefined || !/^[A-Z]/.test(name)) return []
    return [error('names', source, lineAt(source.text, start), `"${name}": "${word}" says nothing`)]
  })
}

function declaredNames(statement: Node): { name: string; start: number }[] {
  const declaration = isNode(statement.declaration) ? statement.declaration : statement
  const id = declaration.id
  return isNode(id) && typeof id.name === 'string' ? [{ name: id.name, start: declaration.start }] : []
}

function checkFirstLine(source: Source): Violation[] {
  const lines = source.text.split('\n')
  const first = lines[0]?.startsWith('#!') ? lines[1] : lines[0]
  if (first !== undefined && /^(\/\/|\/\*)/.test(first)) return []
  return [error('first line', source, 1, 'the first line must say the job of the file')]
}

/** Package roots, and the entry of a built file of the widget: only these may consist of re-exports. */
const ROOTS = /^(edge|widget|contract|demo|sdk\/[a-z]+)\/index\.ts$|^widget\/everyday\.ts$/

function checkBarrel(source: Source): Violation[] {
  const body = treeOf(source).body as Node[]
  const passesOn = body.length > 0 && body.every((node) => /^Export/.test(node.type) && isNode(node.source))
  if (ROOTS.test(source.path) || !passesOn) return []
  return [error('no barrels', source, 1, 'only a package root passes on exports')]
}

const SILENCED = /@ts-(ignore|expect-error|nocheck)/
/** Matches references to documents outside of the repository, and to decision records without their path. */
export const OUTSIDE =
  /\b(contract|house|specification|choices|issue)('s)? (sections?|rules?|parts?) ?\d|\bdecisions?[ /]\d{4}(?!-)/i
const NOTE = /\b(TODO|FIXME|XXX|HACK)\b(?!\s*\(?#\d+)/

// Checks comments by line, as the tree has none. Requires white space before `//`, so that URLs in strings do not match.
function checkComments(source: Source): Violation[] {
  return source.text.split('\n').flatMap((line, index) => {
    const comment = /(^|\s)(\/\/|\/?\*)(.*)$/.exec(line)?.[3]
    if (comment === undefined) return []
    const at = (rule: string, message: string) => [error(rule, source, index + 1, message)]
    if (SILENCED.test(comment)) return at('no silenced types', 'fix the type instead')
    if (OUTSIDE.test(comment)) return at('references', 'link a page of docs/, or say it here')
    if (NOTE.test(comment)) return at('notes', 'a note needs the number of its issue')
    return []
  })
}

function error(rule: string, { path }: Source, line: number, message: string): Violation {
  return { rule, path, line, message, level: 'error' }
}
