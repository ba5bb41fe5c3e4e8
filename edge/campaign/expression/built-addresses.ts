// Writes addresses that a template builds by `assign`, `capture`, `append` and `prepend` in one piece, so that they are
// checked by the rule of those that are written where they are printed.

import { listParts, type TemplatePart } from './template-parts.ts'

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
const OUTPUT = /^\{\{-?\s*([\s\S]*?)\s*-?\}\}$|^\{%-?\s*echo\s+([\s\S]*?)\s*-?%\}$/
const ASSIGN = /^\{%-?\s*assign\s+([\w-]+)\s*=\s*([\s\S]*?)\s*-?%\}$/
const CAPTURE = /^\{%-?\s*capture\s+["']?([\w-]+)/

interface Definition {
  at: number
  template: string
}
type Definitions = ReadonlyMap<string, Definition[]>

/** @returns A function that returns the ways in which an output is built, as templates; none where it prints a value as it is */
export function findBuilt(source: string, parts: readonly TemplatePart[]): (part: TemplatePart) => string[] {
  if (!/\b(?:assign|capture|append|prepend)\b/.test(source)) return () => []
  const definitions = listDefinitions(source, parts)
  return ({ start, end }) => {
    const written = source.slice(start, end)
    const ways = writeOut(written, definitions, start, 0)
    return ways.length === 1 && ways[0] === written ? [] : ways
  }
}

function listDefinitions(source: string, parts: readonly TemplatePart[]): Definitions {
  const definitions = new Map<string, Definition[]>()
  const define = (name: string, at: number, template: string) =>
    definitions.set(name, [...(definitions.get(name) ?? []), { at, template }])
  const open: { name: string; from: number }[] = []
  for (const { start, end, tag } of parts) {
    const written = source.slice(start, end)
    const [, assigned, expression = ''] = (tag === 'assign' && ASSIGN.exec(written)) || []
    if (assigned !== undefined) define(assigned, start, `{{ ${expression} }}`)
    else if (tag === 'capture') open.push({ name: CAPTURE.exec(written)?.[1] ?? '', from: end })
    else if (tag === 'endcapture') {
      const capture = open.pop()
      if (capture !== undefined) define(capture.name, start, source.slice(capture.from, start))
    }
  }
  return definitions
}

/** @returns The ways to write a template without names that were built before a place */
function writeOut(template: string, definitions: Definitions, before: number, level: number): string[] {
  let ways = ['']
  let at = 0
  for (const part of listParts(template)) {
    const text = template.slice(at, part.start)
    const written = template.slice(part.start, part.end)
    at = part.end
    const [, output, echoed] = OUTPUT.exec(written) ?? []
    const expression = output ?? echoed
    const next = expression === undefined ? [written] : joinedOf(expression, written, definitions, before, level)
    ways = combine(ways, [text], next)
  }
  return combine(ways, [template.slice(at)])
}

function joinedOf(
  expression: string,
  written: string,
  definitions: Definitions,
  before: number,
  level: number,
): string[] {
  const [, double, single, name, joins = ''] = JOINED.exec(expression.replace(KEEPING, '').trim()) ?? []
  const first = double ?? single ?? name
  const isPrintedAsWritten = level === 0 && joins === '' && expression.includes('|')
  if (first === undefined || isPrintedAsWritten) return [written]
  const waysOf = (atom: string) => waysOfAtom(atom, definitions, before, level)
  let ways = waysOf(name ?? `"${first}"`)
  for (const [, kind, atom = ''] of joins.matchAll(JOIN)) {
    ways = kind === 'append' ? combine(ways, waysOf(atom)) : combine(waysOf(atom), ways)
  }
  return ways
}

function waysOfAtom(atom: string, definitions: Definitions, before: number, level: number): string[] {
  const [, double, single, name = ''] = WHOLE_ATOM.exec(atom) ?? []
  if (double !== undefined || single !== undefined) return [double ?? single ?? '']
  const known = definitions.get(name)?.filter(({ at }) => at < before) ?? []
  if (known.length === 0 || level === MAX_LEVELS) return [`{{ ${name} }}`]
  return known.flatMap(({ at, template }) => writeOut(template, definitions, at, level + 1)).slice(0, MAX_WAYS)
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
