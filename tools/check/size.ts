// Rule: files, functions and folders stay small enough to be read at once (house rule 2).

import { isCode, isTest, lineAt, type Node, type Source, treeOf, type Violation, walk } from './source.ts'

const WARN_LINES = 250
const MAX_LINES = 300
const MAX_TEST_LINES = 500
const WARN_FUNCTION_LINES = 40
const MAX_FUNCTION_LINES = 60
const MAX_FOLDER_FILES = 20

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
// Tables of words, and what a program wrote.
const FREE = /(^|\/)locales\/|\.generated\.ts$|\.d\.m?ts$/

export function checkSizes(sources: Source[]): Violation[] {
  const code = sources.filter(({ path }) => isCode(path) && !FREE.test(path))
  return [...code.flatMap(checkFile), ...code.flatMap(checkFunctions), ...checkFolders(code)]
}

function checkFile({ path, text }: Source): Violation[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  const most = isTest(path) ? MAX_TEST_LINES : MAX_LINES
  if (lines > most) return [{ rule: 'size', path, message: `${lines} lines, at most ${most}`, level: 'error' }]
  if (isTest(path) || lines <= WARN_LINES) return []
  return [{ rule: 'size', path, message: `${lines} lines: split it by reason to change`, level: 'warning' }]
}

// A test's `describe` holds its whole list: only its file counts.
function checkFunctions(source: Source): Violation[] {
  if (isTest(source.path)) return []
  const found: Violation[] = []
  walk(treeOf(source), (node, parent) => {
    if (!FUNCTIONS.has(node.type)) return
    const line = lineAt(source.text, node.start)
    const lines = ownLines(source, node)
    if (lines <= WARN_FUNCTION_LINES) return
    const level = lines > MAX_FUNCTION_LINES ? 'error' : 'warning'
    const message = `function ${nameOf(node, parent)} has ${lines} lines of its own, at most ${MAX_FUNCTION_LINES}`
    found.push({ rule: 'function size', path: source.path, line, message, level })
  })
  return found
}

/** Lines of a function without the bodies of those nested in it: a factory is read one inner function at a time. */
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

function checkFolders(sources: Source[]): Violation[] {
  const counts = new Map<string, number>()
  for (const { path } of sources) {
    if (isTest(path)) continue
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FOLDER_FILES)
    .map(([path, count]) => ({
      rule: 'folder size',
      path,
      message: `${count} source files, at most ${MAX_FOLDER_FILES}`,
      level: 'error',
    }))
}
