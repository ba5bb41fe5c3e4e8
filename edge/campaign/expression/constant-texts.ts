// Finds the outputs of a template that print a text of its author, and no value.

import type { TemplatePart } from './template-parts.ts'

/** Each one is a possible beginning of an address. */
const MAX_TEXTS = 8

const TEXT = /(?:"([^"\\]*)"|'([^'\\]*)')/.source
const ASSIGNED_TEXT = new RegExp(`^\\{%-?\\s*assign\\s+([\\w-]+)\\s*=\\s*${TEXT}\\s*-?%\\}$`)
/** Anything else that gives a name a value, also within `{% liquid %}`. */
const ASSIGNED = /\b(?:assign|capture|for|increment|decrement)\s+["']?([\w-]+)/g
const PRINTED = new RegExp(`^\\{[{%]-?\\s*(?:echo\\s+)?(?:([\\w-]+)|${TEXT})\\s*-?[%}]\\}$`)
const BEGINS = /^(?:if|unless|case|for|capture)$/
const ENDS = /^end(?:if|unless|case|for|capture)$/

interface Constant {
  /** From here on it is one of the texts, whatever branches are taken. */
  from: number
  texts: string[]
}

/** @returns a function that returns which texts an output may print; undefined where a value may be printed */
export function findConstants(source: string, parts: readonly TemplatePart[]) {
  const constants = listConstants(source, parts)
  return ({ start, end }: TemplatePart): string[] | undefined => {
    const [whole, name, double, single] = PRINTED.exec(source.slice(start, end)) ?? []
    if (whole === undefined) return undefined
    if (name === undefined) return [double ?? single ?? '']
    const known = constants.get(name)
    return known !== undefined && known.from <= start ? known.texts : undefined
  }
}

function listConstants(source: string, parts: readonly TemplatePart[]): Map<string, Constant> {
  const constants = new Map<string, Constant>()
  const others = new Set<string>()
  let depth = 0
  for (const { start, end, tag } of parts) {
    if (tag === undefined || tag === 'comment') continue
    if (BEGINS.test(tag)) depth += 1
    if (ENDS.test(tag)) depth -= 1
    const written = source.slice(start, end)
    const [, name, double, single] = (tag === 'assign' && ASSIGNED_TEXT.exec(written)) || []
    if (name === undefined) {
      for (const [, other = ''] of written.matchAll(ASSIGNED)) others.add(other)
      continue
    }
    const known = constants.get(name) ?? { from: Number.POSITIVE_INFINITY, texts: [] }
    if (depth === 0) known.from = Math.min(known.from, end)
    if (known.texts.push(double ?? single ?? '') > MAX_TEXTS) others.add(name)
    constants.set(name, known)
  }
  for (const name of others) constants.delete(name)
  return constants
}
