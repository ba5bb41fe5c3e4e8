// Reads the tags of HTML or MJML without a parser: bounds their nesting, for parsers that would end the process, and rewrites them.

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** White space of HTML. Other characters that programs may take for it, such as a no-break space, stand in quotation marks alone. */
const SPACE = /[\t\n\f\r ]/.source
/** White space, or a quotation mark at the end of another value, begins an attribute. A value without them may contain `=`. */
const ATTRIBUTE = `(?:${SPACE}+|(?<=["']))[^\\s"'<>=/]+(?:${SPACE}*=${SPACE}*(?:"[^"]*"|'[^']*'|[^\\s"'<>=\`][^\\s"'<>\`]*))?`
const ATTRIBUTE_IN_PARTS =
  /((?:\s+|(?<=["']))([^\s"'<>=/]+)\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`][^\s"'<>`]*))|\s+[^\s"'<>=/]+/g
/** Text, comments, and tags that every parser reads alike: the name of an end tag, and name and attributes of a start tag. */
const PLAIN = new RegExp(
  [
    /[^<]+|<(?![a-z/!?])/,
    /<!--(?!-?>)(?:(?!--!?>)[\s\S])*-->/,
    /<!(?!--|\[CDATA)[^<>]*>/,
    `</([a-z][a-z0-9:-]*)${SPACE}*>`,
    `<([a-z][a-z0-9:-]*)((?:${ATTRIBUTE})*)${SPACE}*\\/?>`,
  ]
    .map((part) => (typeof part === 'string' ? part : part.source))
    .join('|'),
  'iy',
)

export interface MarkupSize {
  /** A parser nests the elements no deeper, except for levels that it adds itself. */
  depth: number
  elements: number
}

/**
 * An end tag counts when it ends the element that began last, and none counts after markup that parsers may read in
 * another way. `selfCloses`: `<a/>` ends itself, as in XML.
 */
export function measureMarkup(markup: string, { selfCloses }: { selfCloses: boolean }): MarkupSize {
  const open: string[] = []
  let depth = 0
  let elements = 0
  PLAIN.lastIndex = 0
  for (let at = 0; at < markup.length; at = PLAIN.lastIndex) {
    const found = PLAIN.exec(markup)
    if (found === null) {
      const rest = markup.slice(at).match(/<[a-z]/gi)?.length ?? 0
      return { depth: Math.max(depth, open.length + rest), elements: elements + rest }
    }
    const end = found[1]?.toLowerCase()
    const start = found[2]?.toLowerCase()
    if (start !== undefined) elements++
    const isEmpty = start === undefined || VOID.has(start) || (selfCloses && found[0].endsWith('/>'))
    if (!isEmpty) depth = Math.max(depth, open.push(start))
    if (end !== undefined && open.at(-1) === end) open.pop()
  }
  return { depth, elements }
}

/**
 * Replaces start tags by what `replace` returns for them; undefined leaves one as it is. Everything after markup that
 * parsers may read in another way stays as it is, so nothing inside a value of an attribute is taken for a tag.
 * `attributes` begins with white space, or is empty.
 */
export function replaceStartTags(
  markup: string,
  replace: (name: string, attributes: string) => string | undefined,
): string {
  let replaced = ''
  const end = readMarkup(markup, ({ kind, written, name, attributes }) => {
    replaced += (kind === 'start' && replace(name, attributes)) || written
  })
  return replaced + markup.slice(end)
}

/**
 * Changes what a program may read as attributes: start tags, comments, and all behind markup that parsers may read in
 * different ways. Text stays as it is.
 */
export function changeTags(markup: string, change: (written: string) => string): string {
  let changed = ''
  const end = readMarkup(markup, ({ kind, written }) => {
    changed += kind === 'start' || kind === 'other' ? change(written) : written
  })
  return changed + change(markup.slice(end))
}

export interface MarkupPart {
  /** `other`: a comment or a document type. */
  kind: 'text' | 'start' | 'end' | 'other'
  written: string
  /** Of a tag, as it is written. */
  name: string
  /** Of a start tag: begins with white space, or is empty. */
  attributes: string
}

/** Elements whose content is text. */
const TEXT_ELEMENTS = new Set(['title', 'textarea', 'style', 'script'])
/** Elements whose content is text for some parsers, and markup for others. */
const UNCLEAR_ELEMENTS = new Set('xmp iframe noembed noframes noscript plaintext select'.split(' '))
/** In pictures and formulas, elements of text contain markup. */
const FOREIGN = new Set(['svg', 'math'])

/**
 * Passes text, comments and tags in their order to `onPart`, which may end the reading by `stop`.
 * @returns Where it ended: at the end, before markup that parsers may read in another way, or behind the last part
 */
export function readMarkup(markup: string, onPart: (part: MarkupPart) => unknown): number {
  let at = 0
  let isForeign = false
  /** Before this place, some parsers read text. */
  let endOfUnclear = 0
  while (at < markup.length) {
    // The function may read markup as well.
    PLAIN.lastIndex = at
    const found = PLAIN.exec(markup)
    if (found === null || (at < endOfUnclear && PLAIN.lastIndex > endOfUnclear)) break
    const isUnclear = at < endOfUnclear
    at = PLAIN.lastIndex
    const part = toPart(found)
    if (onPart(part) === 'stop') break
    if (part.kind !== 'start') continue
    const name = part.name.toLowerCase()
    isForeign ||= FOREIGN.has(name)
    const isText = TEXT_ELEMENTS.has(name) && !isForeign
    if (!isText && !UNCLEAR_ELEMENTS.has(name) && !TEXT_ELEMENTS.has(name)) continue
    const end = isUnclear ? -1 : findEndTag(markup, name, at)
    if (end < 0) break
    if (!isText) {
      endOfUnclear = end
      continue
    }
    const text = markup.slice(at, end)
    if (name === 'script' && text.includes('<!--')) break
    at = end
    if (text !== '' && onPart({ kind: 'text', written: text, name: '', attributes: '' }) === 'stop') break
  }
  return at
}

function toPart([written, end, start, attributes = '']: RegExpExecArray): MarkupPart {
  if (start !== undefined) return { kind: 'start', written, name: start, attributes }
  const kind = end !== undefined ? 'end' : written.startsWith('<!') ? 'other' : 'text'
  return { kind, written, name: end ?? '', attributes: '' }
}

/** @returns where the end tag begins; -1 without one */
function findEndTag(markup: string, name: string, from: number): number {
  const tag = new RegExp(`</${name}(?=${SPACE}|[/>])`, 'gi')
  tag.lastIndex = from
  return tag.exec(markup)?.index ?? -1
}

/** Replaces values of a start tag's attributes, as they are written, without quotes; undefined leaves one as it is. */
export function replaceAttributes(
  attributes: string,
  replace: (name: string, value: string) => string | undefined,
): string {
  return attributes.replace(
    ATTRIBUTE_IN_PARTS,
    (written: string, before: string | undefined, name = '', ...values: (string | undefined)[]) => {
      if (before === undefined) return written
      const replaced = replace(name.toLowerCase(), values[0] ?? values[1] ?? values[2] ?? '')
      return replaced === undefined ? written : `${before}"${replaced.replaceAll('"', '&quot;')}"`
    },
  )
}

const NAMED: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' },
  ...{ colon: ':', sol: '/', period: '.', commat: '@', num: '#', quest: '?', tab: '\t', newline: '\n' },
}
const REFERENCE = /&(?:([a-z]{2,7});|#0*(\d{1,7});?|#x0*([\da-f]{1,6});?)/gi

/** Decodes the references that an address may contain; others stay as they are. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (all: string, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? all
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code)
  })
}
