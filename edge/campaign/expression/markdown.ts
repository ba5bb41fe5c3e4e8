// Escapes printed values in Markdown, and checks every link after rendering, because values may come from untrusted
// users.

import { safeLink } from '../../../contract/link.ts'
import { clean } from '../../lib/clean-text.ts'
import { noteDroppedLink } from './noted-doubts.ts'

/** Characters with a meaning anywhere in a line. CommonMark allows escapes of all ASCII punctuation. */
const INLINE = /[\\`*_[\]()<>|~]/g
/** Begins a heading, list, table or rule at the start of a line, where a printed value may be. */
const LINE_START = /^(?:([#+=:.-])|(\d{1,9})\.)/gm
/** Text that readers turn into links without brackets, and entities. */
const BARE = /:(?=\/\/)|(?<!:)\/(?=\/)|@|(?<=\bwww)\.|&(?=#?\w{1,32};)/gi

/** Escapes text so that Markdown shows it unchanged at any place. */
export function escapeMarkdown(text: string): string {
  return (
    // Behind a control character, which no message keeps, a mark would begin a line later.
    withoutOuterLines(clean(text))
      // Four spaces, also those of several values, would begin a block of code; readers drop spaces at the start of a line.
      .replace(/\n[ \t]+/g, '\n')
      .replace(/^[ \t]+/, '\u00a0')
      .replace(INLINE, '\\$&')
      // Before a link it would make a picture.
      .replace(/!$/, '\\!')
      .replace(BARE, '\\$&')
      .replace(LINE_START, (_, mark: string | undefined, number: string | undefined) =>
        mark === undefined ? `${number}\\.` : `\\${mark}`,
      )
  )
}

/** Takes linear time: an expression with `\n+$` begins anew at each line end. */
function withoutOuterLines(text: string): string {
  let from = 0
  let to = text.length
  while (text[from] === '\n') from++
  while (to > from && text[to - 1] === '\n') to--
  return text.slice(from, to)
}

const MAX_DESTINATION_CHARS = 2100
/** `(?![ \t])` reads the spaces once: else each of them could also belong to what follows. */
const DESTINATION =
  /[ \t]*(?![ \t])(?:<((?:\\.|[^\\<>\n])*)>|((?:\\.|[^\\()\s]|\((?:\\.|[^\\()\s])*\))*))([ \t]+(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))?[ \t]*\)/y
/** A whole line: with other words behind its destination it would be text. */
const DEFINITION =
  /^ {0,3}\[(?:\\.|[^\\[\]\n]){1,999}\]:[ \t]*(?:<((?:\\.|[^\\<>\n])*)>|([^\s<]\S*))[ \t]*(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\))?[ \t]*$/gm
const AUTOLINK = /\\[\s\S]|<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2048})>/gi

/** Removes links with forbidden destinations, whose words stay without brackets, and writes allowed ones without escapes. */
export function checkMarkdownLinks(markdown: string, schemes: readonly string[] = []): string {
  const checked = markdown.includes('](') ? checkInlineLinks(markdown, schemes) : markdown
  if (!checked.includes('<')) return checked
  // Steps over escaped characters, which must not get a second backslash.
  return checked.replace(AUTOLINK, (all: string, link: string | undefined) => {
    if (link === undefined || safeLink(link, schemes) !== null) return all
    noteDroppedLink(link)
    return escapeMarkdown(withoutEscapes(link))
  })
}

function checkInlineLinks(markdown: string, schemes: readonly string[]): string {
  const edits: Edit[] = []
  for (const { open, close, end, destination, title } of listInlineLinks(markdown)) {
    const target = safeLink(destination, schemes)
    if (target === null) noteDroppedLink(destination)
    if (target !== null) edits.push({ from: close + 1, to: end, text: `(${encodeDestination(target)}${title})` })
    else if (open !== undefined) {
      const isImage = markdown[open - 1] === '!' && markdown[open - 2] !== '\\'
      edits.push({ from: isImage ? open - 1 : open, to: open + 1, text: '' })
      // What follows is no destination of the brackets that are left.
      edits.push({ from: close, to: end, text: markdown[end] === '(' ? '\\' : '' })
    } else edits.push({ from: close + 1, to: end, text: '' })
  }
  return applyEdits(markdown, edits)
}

interface Edit {
  from: number
  to: number
  text: string
}

function applyEdits(text: string, edits: Edit[]): string {
  let edited = ''
  let at = 0
  for (const { from, to, text: written } of edits.sort((one, other) => one.from - other.from)) {
    edited += text.slice(at, from) + written
    at = to
  }
  return edited + text.slice(at)
}

interface InlineLink {
  /** Places of the brackets around its words; the first is undefined where there is none. */
  open: number | undefined
  close: number
  end: number
  destination: string
  title: string
}

function listInlineLinks(markdown: string): InlineLink[] {
  const links: InlineLink[] = []
  const open: number[] = []
  for (let i = 0; i < markdown.length; i++) {
    const char = markdown[i]
    if (char === '\\') i++
    else if (char === '[') open.push(i)
    else if (char === ']') {
      const start = open.pop()
      const link = markdown[i + 1] === '(' ? readDestination(markdown, i + 2) : undefined
      if (link === undefined) continue
      links.push({ open: start, close: i, ...link })
      i = link.end - 1
    }
  }
  return links
}

/** Lists the destinations of inline links, pictures, links in `<>` and definitions of references. */
export function listDestinations(markdown: string): string[] {
  const defined = [...markdown.matchAll(DEFINITION)].map(([, inBrackets, bare]) => inBrackets ?? bare ?? '')
  const auto = [...markdown.matchAll(AUTOLINK)].flatMap(([, link]) =>
    link === undefined ? [] : [withoutEscapes(link)],
  )
  const inline = listInlineLinks(markdown).map(({ destination }) => destination)
  return [...new Set([...inline, ...defined.map(withoutEscapes), ...auto])]
}

const withoutEscapes = (text: string) => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')

function readDestination(
  markdown: string,
  start: number,
): { destination: string; title: string; end: number } | undefined {
  // A window bounds the time: many unclosed openings stay linear.
  const window = markdown.slice(start, start + MAX_DESTINATION_CHARS)
  DESTINATION.lastIndex = 0
  const match = DESTINATION.exec(window)
  if (match === null) return undefined
  const raw = match[1] ?? match[2] ?? ''
  return { destination: withoutEscapes(raw), title: match[3] ?? '', end: start + match[0].length }
}

function encodeDestination(link: string): string {
  return link.replace(/[()<>]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
