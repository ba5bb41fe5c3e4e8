// Finds the outputs and tags of a template without parsing it, where the engine finds them.

export interface TemplatePart {
  start: number
  end: number
  /** Of a tag, such as `if`; undefined for an output. A comment is one part, with its content. */
  tag: string | undefined
}

const NAME = /\{%-?\s*(\w+)/y
const BEGIN = /\{[{%]/g
const QUOTE_OR_CLOSE = /"|'|\}\}/g
/** The engine reads no sign `-` here. */
const END_OF_RAW = /\{%\s*endraw(?![\w?-])/g

function seek(pattern: RegExp, source: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from
  return pattern.exec(source)
}

/** @returns where a text in quotation marks ends; -1 without an end */
function endOfQuoted(source: string, quote: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === quote) return at + 1
  }
  return -1
}

/** @returns where an output ends, whose texts may contain `}}`; -1 without an end */
function endOfOutput(source: string, from: number): number {
  for (let at = from; at !== -1; ) {
    const found = seek(QUOTE_OR_CLOSE, source, at)
    if (found === null) return -1
    if (found[0] === '}}') return found.index + 2
    at = endOfQuoted(source, found[0], found.index + 1)
  }
  return -1
}

function endOfTag(source: string, from: number): number {
  const close = source.indexOf('%}', from)
  return close === -1 ? -1 : close + 2
}

/**
 * @returns the outputs and tags of a template in their order, up to the first without an end, which is a fault of the
 * template. What is between `{% raw %}` and `{% endraw %}` is text.
 */
export function listParts(source: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let comment: number | undefined
  for (let begin = seek(BEGIN, source, 0); begin !== null; ) {
    const start = begin.index
    const isTag = source[start + 1] === '%'
    const end = isTag ? endOfTag(source, start + 2) : endOfOutput(source, start + 2)
    if (end === -1) break
    const tag = isTag ? (seek(NAME, source, start)?.[1] ?? '') : undefined
    if (tag === 'comment') comment ??= start
    if (comment === undefined) parts.push({ start, end, tag })
    else if (tag === 'endcomment') {
      parts.push({ start: comment, end, tag: 'comment' })
      comment = undefined
    }
    begin = tag === 'raw' ? seek(END_OF_RAW, source, end) : seek(BEGIN, source, end)
  }
  return parts
}

/** @returns what an author wrote between two parts, without the white space that their signs `-` remove */
export function textBetween(source: string, begin: number, end: number): string {
  const text = source.slice(begin, end)
  const trimmed = source[begin - 3] === '-' && source[begin - 1] === '}' ? text.trimStart() : text
  return source[end + 2] === '-' ? trimmed.trimEnd() : trimmed
}

/** @returns what is between the marks of a part as it is written, without its signs `-` and the white space around it */
export function insideOf(written: string): string {
  const from = written[2] === '-' ? 3 : 2
  return written.slice(from, Math.max(from, written.length - (written.at(-3) === '-' ? 3 : 2))).trim()
}

/** An output, or a tag; each line of a tag `liquid` is one. */
export interface Statement {
  /** Of a tag, such as `if`; undefined for an output. */
  tag: string | undefined
  /** Without the marks. */
  inside: string
}

/** @returns the outputs and tags of a template, without comments and what is text */
export function listStatements(source: string): Statement[] {
  return listParts(source).flatMap(({ start, end, tag }) => {
    const inside = tag === 'comment' || tag === 'raw' ? '' : insideOf(source.slice(start, end))
    if (tag === 'liquid') return linesOf(inside.slice(tag.length))
    return inside === '' || (tag === '' && inside.startsWith('#')) ? [] : [{ tag, inside }]
  })
}

function linesOf(liquid: string): Statement[] {
  const statements: Statement[] = []
  let isComment = false
  for (const line of liquid.split('\n')) {
    const inside = line.trim()
    const tag = /^\w+/.exec(inside)?.[0]
    if (tag === 'comment') isComment = true
    else if (tag === 'endcomment') isComment = false
    else if (!isComment && tag !== undefined) statements.push({ tag, inside })
  }
  return statements
}

const ECHO = /^echo\s+/

/** @returns what a part prints, `{{ … }}` or `{% echo … %}`; undefined for another tag */
export function printedBy(source: string, { start, end }: TemplatePart): string | undefined {
  const inside = insideOf(source.slice(start, end))
  if (source.startsWith('{{', start)) return inside
  const echo = ECHO.exec(inside)?.[0]
  return echo === undefined ? undefined : inside.slice(echo.length)
}
