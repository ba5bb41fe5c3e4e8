// Writes addresses that a template builds by `assign`, `capture`, `append` and `prepend` in one piece, so that they are
// checked by the rule of those that are written where they are printed.

import { type Definition, findHeld, type HeldAt } from './assigned-names.ts'
import { listParts, printedBy, type TemplatePart } from './template-parts.ts'

/** Of names that are built of other names. */
const MAX_LEVELS = 4
/** Ways to build one address: a name may be assigned in each branch. */
const MAX_WAYS = 8
/** Longer ones are no addresses. */
const MAX_CHARS = 4096

const ATOM = /(?:"([^"\\]*)"|'([^'\\]*)'|([A-Za-z_][\w.-]*))/.source
const WHOLE_ATOM = new RegExp(`^${ATOM}$`)
const JOINED = new RegExp(`^${ATOM}((?:\\s*\\|\\s*(?:append|prepend)\\s*:\\s*${ATOM})*)$`)
const JOIN = new RegExp(`\\|\\s*(append|prepend)\\s*:\\s*(${ATOM})`, 'g')
/** Filters after which a text could continue a host as well as before; they bound a value only where it is printed. */
const KEEPING =
  /\|\s*(?:strip|lstrip|rstrip|strip_newlines|downcase|upcase|capitalize|escape|escape_once|uri_escape|url_encode)\s*(?=\||$)/g

/** @returns A function that returns the ways in which an output is built, as templates; none where it prints a value as it is */
export function findBuilt(source: string, parts: readonly TemplatePart[]): (part: TemplatePart) => string[] {
  if (!/\b(?:assign|capture|append|prepend)\b/.test(source)) return () => []
  const writer = createWriter(findHeld(source, parts))
  return ({ start, end }) => {
    const written = source.slice(start, end)
    const ways = writer.writeOut(written, start, 0)
    return ways.length === 1 && ways[0] === written ? [] : ways
  }
}

function createWriter(heldAt: HeldAt) {
  /** By level: deeper ones are written out less far. */
  const known = Array.from({ length: MAX_LEVELS + 1 }, () => new Map<Definition, string[]>())

  /** @returns The ways to write a template without names that were built before a place */
  function writeOut(template: string, before: number, level: number): string[] {
    let ways = ['']
    let at = 0
    for (const part of listParts(template)) {
      const text = template.slice(at, part.start)
      const written = template.slice(part.start, part.end)
      at = part.end
      const expression = printedBy(template, part)
      const next = expression === undefined ? [written] : joinedOf(expression, written, before, level)
      ways = combine(ways, [text], next)
      if (ways.length === 0) break
    }
    return combine(ways, [template.slice(at)])
  }

  function joinedOf(expression: string, written: string, before: number, level: number): string[] {
    const [, double, single, name, joins = ''] = JOINED.exec(expression.replace(KEEPING, '').trim()) ?? []
    const first = double ?? single ?? name
    const isPrintedAsWritten = level === 0 && joins === '' && expression.includes('|')
    if (first === undefined || isPrintedAsWritten) return [written]
    const waysOf = (atom: string) => waysOfAtom(atom, before, level)
    let ways = waysOf(name ?? `"${first}"`)
    for (const [, kind, atom = ''] of joins.matchAll(JOIN)) {
      ways = kind === 'append' ? combine(ways, waysOf(atom)) : combine(waysOf(atom), ways)
    }
    return ways
  }

  function waysOfAtom(atom: string, before: number, level: number): string[] {
    const [, double, single, name = ''] = WHOLE_ATOM.exec(atom) ?? []
    if (double !== undefined || single !== undefined) return [double ?? single ?? '']
    const { definitions, elementOf } = heldAt(name, before)
    if (elementOf !== undefined || definitions.length === 0 || level === MAX_LEVELS) return [`{{ ${name} }}`]
    return definitions
      .slice(-MAX_WAYS)
      .flatMap((one) => waysOfDefinition(one, level + 1))
      .slice(0, MAX_WAYS)
  }

  function waysOfDefinition(one: Definition, level: number): string[] {
    const written = known[level]?.get(one) ?? writeOut(one.template, one.at - 1, level)
    known[level]?.set(one, written)
    return written
  }

  return { writeOut }
}

/** @returns Each of the first before each of the next, such as are short enough for an address */
function combine(...lists: readonly string[][]): string[] {
  return lists.reduce((ways, next) =>
    ways
      .flatMap((way) => next.map((one) => way + one))
      .filter((way) => way.length <= MAX_CHARS)
      .slice(0, MAX_WAYS),
  )
}
