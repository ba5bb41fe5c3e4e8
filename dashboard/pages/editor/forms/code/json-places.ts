// Finds places in JSON text: that of a value by its path, and of the first fault of the syntax.

import { jsonLanguage } from '@codemirror/lang-json'
import type { Path } from '../../../../editor/step-tree.ts'

export interface Place {
  from: number
  to: number
}

export interface SyntaxFault extends Place {
  /** From 1. */
  line: number
  message: string
}

type SyntaxNode = ReturnType<typeof jsonLanguage.parser.parse>['topNode']

/** All faults of an answer ask for places in one text. */
let last = { text: '', tree: jsonLanguage.parser.parse('') }
function parse(text: string) {
  if (last.text !== text) last = { text, tree: jsonLanguage.parser.parse(text) }
  return last.tree
}

const SINGLE = new Set(['Number', 'String', 'PropertyName'])
const NAMES_OF_VALUES = new Set(['True', 'False', 'Null', 'Number', 'String', 'Object', 'Array'])

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

const innerValue = (node: SyntaxNode): SyntaxNode | undefined =>
  childrenOf(node).find(({ name }) => NAMES_OF_VALUES.has(name))

/** @returns the place of the value at a path, or of the last value on the way to it; undefined for no JSON */
export function placeOf(text: string, path: Path): Place | undefined {
  let node = innerValue(parse(text).topNode)
  for (const key of path) {
    const next = node && childOf(text, node, key)
    if (next === undefined) break
    node = next
  }
  return node && shownPlace(text, node)
}

function childOf(text: string, node: SyntaxNode, key: string | number): SyntaxNode | undefined {
  if (node.name === 'Array') {
    return typeof key === 'number' ? childrenOf(node).filter(({ name }) => NAMES_OF_VALUES.has(name))[key] : undefined
  }
  const property = propertiesOf(text, node).findLast(({ name }) => name === key)
  return property && innerValue(property.node)
}

function propertiesOf(
  text: string,
  node: SyntaxNode,
): { name: string | undefined; node: SyntaxNode; named: SyntaxNode }[] {
  return childrenOf(node).flatMap((property) => {
    const named = property.name === 'Property' ? property.getChild('PropertyName') : null
    return named === null ? [] : [{ name: readString(text.slice(named.from, named.to)), node: property, named }]
  })
}

const readString = (json: string): string | undefined => (isJson(json) ? (JSON.parse(json) as string) : undefined)

/** Of an object or a list its first line: a mark over many lines hides what is meant. */
function shownPlace(text: string, { from, to }: SyntaxNode): Place {
  const end = text.indexOf('\n', from)
  return { from, to: end < 0 ? to : Math.min(end, to) }
}

/** @returns the first place that is no JSON, or a key that an object has twice; undefined for sound JSON */
export function findSyntaxFault(text: string): SyntaxFault | undefined {
  const faultAt = (from: number, to: number, message: string): SyntaxFault => {
    const line = text.slice(0, from).split('\n').length
    return { from, to, line, message: `Line ${line}: ${message}` }
  }
  let found: SyntaxFault | undefined
  parse(text).iterate({
    enter(node) {
      if (found !== undefined) return false
      if (node.type.isError) found = faultAt(node.from, Math.max(node.to, node.from + 1), 'this is no JSON.')
      // What the parser of the editor lets pass, such as a control character in a text.
      else if (SINGLE.has(node.name) && !isJson(text.slice(node.from, node.to))) {
        found = faultAt(node.from, node.to, 'this is no JSON.')
      } else if (node.name === 'Object') {
        const seen = new Set<unknown>()
        for (const { name, named } of propertiesOf(text, node.node)) {
          if (seen.has(name)) found ??= faultAt(named.from, named.to, 'the object has this key twice.')
          seen.add(name)
        }
      }
      return found === undefined
    },
  })
  return found ?? (isJson(text) ? undefined : faultAt(0, 1, 'this is no JSON.'))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
