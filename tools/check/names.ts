// Rule: a name says what is inside; words that say nothing are forbidden (house rule 2, manner of section 5).

import { isCode, isNode, isTest, lineAt, type Node, type Source, treeOf, type Violation } from './source.ts'

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
/** Package roots: the only places for a file that only passes on what others export. */
const ROOTS = /^(edge|widget|contract|demo|sdk\/[a-z]+)\/index\.ts$/

export function checkNames(sources: Source[]): Violation[] {
  return sources.flatMap((source) => {
    const words = checkWords(source.path)
    if (!isCode(source.path)) return words
    return [...words, ...checkFirstLine(source), ...checkBarrel(source), ...checkDeclarations(source)]
  })
}

function checkWords(path: string): Violation[] {
  const words = path.toLowerCase().split(/[/._-]/)
  return FORBIDDEN.filter((word) => words.includes(word) && !path.startsWith('docs/')).map((word) => ({
    rule: 'names',
    path,
    message: `"${word}" says nothing about what is inside`,
    level: 'error',
  }))
}

function checkFirstLine({ path, text }: Source): Violation[] {
  const lines = text.split('\n')
  const first = lines[0]?.startsWith('#!') ? lines[1] : lines[0]
  if (first !== undefined && /^(\/\/|\/\*)/.test(first)) return []
  return [{ rule: 'first line', path, line: 1, message: 'the first line must say the job of the file', level: 'error' }]
}

function checkBarrel(source: Source): Violation[] {
  const body = treeOf(source).body as Node[]
  const passesOn = body.length > 0 && body.every((node) => /^Export/.test(node.type) && isNode(node.source))
  if (ROOTS.test(source.path) || !passesOn) return []
  return [{ rule: 'no barrels', path: source.path, message: 'only a package root passes on exports', level: 'error' }]
}

// `FooManager`, `baseFoo`: the same words in exported names. "Event" alone is never a name of ours either.
function checkDeclarations(source: Source): Violation[] {
  if (isTest(source.path)) return []
  return (treeOf(source).body as Node[]).flatMap(declaredNames).flatMap(({ name, start }) => {
    const words = name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase())
    const word = name === 'Event' ? name : FORBIDDEN.find((forbidden) => words.includes(forbidden))
    if (word === undefined || !/^[A-Z]/.test(name)) return []
    const message = `"${name}": "${word}" says nothing`
    return [{ rule: 'names', path: source.path, line: lineAt(source.text, start), message, level: 'error' as const }]
  })
}

function declaredNames(statement: Node): { name: string; start: number }[] {
  const declaration = isNode(statement.declaration) ? statement.declaration : statement
  const id = declaration.id
  return isNode(id) && typeof id.name === 'string' ? [{ name: id.name, start: declaration.start }] : []
}
