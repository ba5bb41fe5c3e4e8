// Escapes printed values in Markdown, and checks every link after rendering, because values may come from untrusted
// users.

import { safeLink } from '../../../contract/link.ts'

/** Characters with a meaning anywhere in a line. CommonMark allows escapes of all ASCII punctuation. */
const INLINE = /[\\`*_[\]()<>|~]/g
/** Begins a heading, list or rule at the start of a line, where a printed value may be. */
const LINE_START = /^([ \t]*)(?:([#+=-])|(\d{1,9})\.)/gm
/** Text that readers turn into links without brackets, and entities. */
const BARE = /:(?=\/\/)|@|(?<=\bwww)\.|&(?=#?\w{1,32};)/gi

/** Escapes text so that Markdown shows it unchanged at any place. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(INLINE, '\\$&')
    .replace(BARE, '\\$&')
    .replace(LINE_START, (_, space: string, mark: string | undefined, number: string | undefined) =>
      mark === undefined ? `${space}${number}\\.` : `${space}\\${mark}`,
    )
}

const MAX_DESTINATION_CHARS = 2100
/** `(?![ \t])` reads the spaces once: else each of them could also belong to what follows. */
const DESTINATION =
  /[ \t]*(?![ \t])(?:<((?:\\.|[^\\<>\n])*)>|((?:\\.|[^\\()\s]|\((?:\\.|[^\\()\s])*\))*))([ \t]+(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))?[ \t]*\)/y
const AUTOLINK = /\\[\s\S]|<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2048})>/gi

/** Removes forbidden destinations, whose text stays, and writes allowed ones without escapes. */
export function checkMarkdownLinks(markdown: string): string {
  const checked = markdown.includes('](') ? checkInlineLinks(markdown) : markdown
  if (!checked.includes('<')) return checked
  // Steps over escaped characters, which must not get a second backslash.
  return checked.replace(AUTOLINK, (all: string, link: string | undefined) =>
    link === undefined || safeLink(link) !== null ? all : `\\${all}`,
  )
}

function checkInlineLinks(markdown: string): string {
  let checked = ''
  let from = 0
  for (let i = 0; i < markdown.length; i++) {
    if (markdown[i] === '\\') i++
    else if (markdown[i] === ']' && markdown[i + 1] === '(') {
      const link = readDestination(markdown, i + 2)
      if (link === undefined) continue
      const target = safeLink(link.destination)
      checked += markdown.slice(from, i + 1) + (target === null ? '' : `(${encodeDestination(target)}${link.title})`)
      from = link.end
      i = link.end - 1
    }
  }
  return checked + markdown.slice(from)
}

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
  return { destination: raw.replace(/\\([!-/:-@[-`{-~])/g, '$1'), title: match[3] ?? '', end: start + match[0].length }
}

function encodeDestination(link: string): string {
  return link.replace(/[()<>]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
