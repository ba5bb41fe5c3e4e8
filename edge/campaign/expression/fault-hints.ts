// Shows, beside a fault of a condition or template, the form that works: names in brackets, texts as numbers, and operators.

/** Longer paths are no help. */
const NEAR_CHARS = 200
/** A path with dots whose names may have any sign that is no operator of both languages. */
const PATH =
  /\b(?:event|user|enriched|awaited|campaign|env)(?:\.[^\s.()[\]{}<>=!&|+*%,;?:"'`\\]+|\["[^"]*"\]|\['[^']*'\])+/g
const NAME = /\.([^.[]+)|\[["']([^\]]*)["']\]/g
/** Words that conditions have no property of after a dot. */
const KEYWORDS = new Set(['in', 'null', 'true', 'false'])
const OVERLOAD = /no such overload: (\S+) ([<>]=?|[=!]=|[-+*/%]) (\S+)$/

/** @returns The path at the fault with its odd names in brackets; undefined when the path there has none. */
export function bracketHint(source: string, position: number | undefined): string | undefined {
  if (position === undefined) return undefined
  const from = Math.max(0, position - NEAR_CHARS)
  for (const { 0: path, index } of source.slice(from, position + NEAR_CHARS).matchAll(PATH)) {
    const start = from + index
    if (position < start || position > start + path.length) continue
    const [root = ''] = /^\w+/.exec(path) ?? []
    const names = [...path.slice(root.length).matchAll(NAME)].map(([, dotted, quoted]) => dotted ?? quoted ?? '')
    if (names.every(isPlain)) return undefined
    return `Write ${root}${names.map(write).join('')}.`
  }
  return undefined
}

/** A number is a place in a list; in brackets with quotation marks it is a name. */
function write(name: string): string {
  if (isPlain(name)) return `.${name}`
  return /^\d+$/.test(name) ? `[${name}]` : `[${JSON.stringify(name)}]`
}

function isPlain(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name)
}

/**
 * Shows how a text is compared or calculated with as a number.
 * @param message The library's words, such as `no such overload: dyn<string> > int`.
 * @param operation The part of the condition that is meant.
 * @returns Undefined for another fault.
 */
export function numberHint(message: string, operation: string): string | undefined {
  const mixed = readMixed(message)
  if (mixed === undefined) return undefined
  const { operator, isText } = mixed
  const sides = operation.split(operator).map((side) => side.trim())
  if (sides.length !== 2) return 'Write the text as double(…).'
  return `Write ${sides.map((side, at) => (isText[at] ? `double(${side})` : side)).join(` ${operator} `)}.`
}

/** What other languages and word processors write, and what a condition has in its place. */
const WRITTEN: Readonly<Record<string, string>> = {
  and: '&&',
  or: '||',
  not: '!',
  '=': '==',
  '===': '==',
  '<>': '!=',
  '!==': '!=',
  '?.': '.',
  '\u2018': "'",
  '\u2019': "'",
  '\u201c': '"',
  '\u201d': '"',
  properties: 'event.properties',
  attributes: 'user.attributes',
}
const SAME_IN_LOWER_CASE = new Set(['true', 'false', 'null'])
const FOREIGN = /(?<![\w.])[a-z]+\b|\?\.|[=!]=+|=|<>|[\u2018\u2019\u201c\u201d]/gi

/** @returns How the operator, quotation mark, constant or root at the fault is written here; undefined for another fault. */
export function operatorHint(source: string, position: number | undefined): string | undefined {
  if (position === undefined) return undefined
  const from = Math.max(0, position - NEAR_CHARS)
  for (const { 0: found, index } of source.slice(from, position + NEAR_CHARS).matchAll(FOREIGN)) {
    const start = from + index
    // The library reports a word that it does not know at its end, or at what follows.
    if (position < start || position > start + found.length + 1) continue
    const lower = found.toLowerCase()
    const own = Object.hasOwn(WRITTEN, lower) ? WRITTEN[lower] : SAME_IN_LOWER_CASE.has(lower) ? lower : found
    if (own !== found) return `Write ${own} in place of ${found}.`
  }
  return undefined
}

/** @returns Whether a fault says that a text and a number have no order. */
export function isTextCompared(message: string): boolean {
  return /^[<>]/.test(readMixed(message)?.operator ?? '')
}

/** @returns The operator between a text and a number, and which sides are texts; undefined for another fault. */
function readMixed(message: string): { operator: string; isText: boolean[] } | undefined {
  const [, left = '', operator = '', right = ''] = OVERLOAD.exec(message) ?? []
  const isText = [left, right].map((type) => type.includes('string'))
  const isNumber = [left, right].some((type) => /^(?:dyn<)?(?:int|double)\b/.test(type))
  return isNumber && isText[0] !== isText[1] ? { operator, isText } : undefined
}

/** Returns the library's one-line summary without its excerpt of the source. */
export function summaryOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the condition could not be evaluated'
  const summary = 'summary' in error && typeof error.summary === 'string' ? error.summary : error.message
  return (summary.split('\n')[0] ?? '').slice(0, 200)
}
