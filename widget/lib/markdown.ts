// The safe subset of Markdown in messages: text in, tokens out. HTML is never markup; links are checked. Linear time.

import { checkedLink } from '../../contract/link.ts'

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'strong' | 'em'; children: Inline[] }
  | { type: 'link'; link: string; children: Inline[] }

export type Block =
  | { type: 'paragraph' | 'heading' | 'quote'; children: Inline[] }
  | { type: 'list'; ordered: boolean; items: Inline[][] }
  | { type: 'code'; text: string }
  | { type: 'rule' }

const MAX_NESTING = 5
/** Labels and addresses are looked for within this many characters, which keeps the time linear. */
const MAX_LABEL = 500
const MAX_ADDRESS = 2100
const PUNCTUATION = /[!-/:-@[-`{-~]/

/** Blocks of a body. */
export function parseMarkdown(body: string): Block[] {
  const blocks: Block[] = []
  const lines = body.replace(/\r\n?/g, '\n').split('\n')
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as string
    const marker = markerOf(line)
    if (marker === 'blank') at++
    else if (marker === 'fence') at = takeFence(lines, at, blocks)
    else if (marker === 'rule') at = blocks.push({ type: 'rule' }) && at + 1
    else if (marker === 'heading') {
      blocks.push({ type: 'heading', children: parseInline(line.replace(/^\s{0,3}#{1,6}\s+/, '')) })
      at++
    } else {
      let end = at + 1
      while (end < lines.length && continues(marker, markerOf(lines[end] as string))) end++
      blocks.push(toBlock(marker, lines.slice(at, end)))
      at = end
    }
  }
  return blocks
}

type Marker = 'blank' | 'fence' | 'rule' | 'heading' | 'quote' | 'bullet' | 'number' | 'text'

function markerOf(line: string): Marker {
  if (line.trim() === '') return 'blank'
  if (/^\s{0,3}```/.test(line)) return 'fence'
  if (/^\s{0,3}(?:-\s*){3,}$|^\s{0,3}(?:\*\s*){3,}$/.test(line.slice(0, 100)) && line.length < 100) return 'rule'
  if (/^\s{0,3}#{1,6}\s/.test(line)) return 'heading'
  if (/^\s{0,3}>/.test(line)) return 'quote'
  if (/^\s{0,3}[-*+]\s/.test(line)) return 'bullet'
  if (/^\s{0,3}\d{1,9}[.)]\s/.test(line)) return 'number'
  return 'text'
}

function continues(first: Marker, next: Marker): boolean {
  return next === first || (next === 'text' && first !== 'quote')
}

function takeFence(lines: string[], start: number, blocks: Block[]): number {
  let end = start + 1
  while (end < lines.length && markerOf(lines[end] as string) !== 'fence') end++
  blocks.push({ type: 'code', text: lines.slice(start + 1, end).join('\n') })
  return end + 1
}

function toBlock(marker: Marker, lines: string[]): Block {
  if (marker === 'quote') {
    return { type: 'quote', children: parseInline(lines.map((line) => line.replace(/^\s{0,3}>\s?/, '')).join('\n')) }
  }
  if (marker === 'text') return { type: 'paragraph', children: parseInline(lines.join('\n')) }
  const items: string[] = []
  for (const line of lines) {
    if (markerOf(line) === 'text') items[items.length - 1] += `\n${line.trim()}`
    else items.push(line.replace(/^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s+/, ''))
  }
  return { type: 'list', ordered: marker === 'number', items: items.map((item) => parseInline(item)) }
}

/** Tokens within a block. */
export function parseInline(text: string, nesting = 0): Inline[] {
  const out: Inline[] = []
  /** Closers that the rest of the text does not hold: not looked for again. */
  const absent = new Set<string>()
  let plain = ''
  let at = 0
  const push = (token: Inline, end: number): void => {
    if (plain !== '') out.push({ type: 'text', text: plain })
    plain = ''
    out.push(token)
    at = end
  }
  const closerOf = (mark: string, from: number): number => {
    if (absent.has(mark)) return -1
    const end = text.indexOf(mark, from)
    if (end < 0) absent.add(mark)
    return end
  }
  while (at < text.length) {
    const char = text[at] as string
    const next = text[at + 1] ?? ''
    if (char === '\\' && PUNCTUATION.test(next)) {
      plain += next
      at += 2
      continue
    }
    if (char === '\n') {
      push({ type: 'break' }, at + 1)
      continue
    }
    const found = nesting < MAX_NESTING ? tokenAt(text, at, closerOf, nesting) : undefined
    if (found !== undefined) push(found.token, found.end)
    else {
      plain += char
      at++
    }
  }
  if (plain !== '') out.push({ type: 'text', text: plain })
  return out
}

type FindCloser = (mark: string, from: number) => number

function tokenAt(
  text: string,
  at: number,
  closerOf: FindCloser,
  nesting: number,
): { token: Inline; end: number } | undefined {
  const char = text[at]
  if (char === '`') {
    const end = closerOf('`', at + 1)
    return end > at + 1 ? { token: { type: 'code', text: text.slice(at + 1, end) }, end: end + 1 } : undefined
  }
  if (char === '*' || char === '_') return emphasisAt(text, at, char, closerOf, nesting)
  if (char === '[') return linkAt(text, at, nesting)
  return undefined
}

function emphasisAt(text: string, at: number, char: '*' | '_', closerOf: FindCloser, nesting: number) {
  const isStrong = text[at + 1] === char
  const mark = isStrong ? char + char : char
  const start = at + mark.length
  // `snake_case` is a word, and a mark before a space is a sign.
  if (/\s/.test(text[start] ?? ' ') || (char === '_' && /\w/.test(text[at - 1] ?? ''))) return undefined
  const end = closerOf(mark, start + 1)
  if (end < 0 || /[\s\\]/.test(text[end - 1] as string)) return undefined
  if (char === '_' && /\w/.test(text[end + mark.length] ?? '')) return undefined
  const children = parseInline(text.slice(start, end), nesting + 1)
  return { token: { type: isStrong ? ('strong' as const) : ('em' as const), children }, end: end + mark.length }
}

function linkAt(text: string, at: number, nesting: number): { token: Inline; end: number } | undefined {
  const labelEnd = text.slice(at, at + MAX_LABEL).search(/[^\\]\]\(/)
  if (labelEnd < 0) return undefined
  const open = at + labelEnd + 3
  const length = text.slice(open, open + MAX_ADDRESS).indexOf(')')
  if (length < 0) return undefined
  const children = parseInline(text.slice(at + 1, open - 2), nesting + 1)
  const link = checkedLink(text.slice(open, open + length).replace(/\\([!-/:-@[-`{-~])/g, '$1'))
  // A link that may not be followed leaves its words.
  const token: Inline = link === null ? { type: 'em', children } : { type: 'link', link, children }
  return { token, end: open + length + 1 }
}
