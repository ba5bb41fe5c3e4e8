// Finds links of a mail that their author leaves out of the tracking, and keeps their queries out of what is shown later.

import { decodeReferences, readMarkup, replaceAttributes } from './markup.ts'

/** Elements with a link that a person follows. */
export const FOLLOWED = new Set(['a', 'area'])
/** Links in unusual spellings: others are found by their place. */
const MAX_LINKS = 300

/** Returns whether a start tag has `data-nc-track="off"`; `attributes` are as they are written. */
export function isUntracked(attributes: string): boolean {
  let isOff = false
  replaceAttributes(attributes, (key, value) => {
    if (key === 'data-nc-track') isOff = value.trim().toLowerCase() === 'off'
    return undefined
  })
  return isOff
}

/** @returns what removes the queries and fragments of the untracked links of this HTML from texts; undefined without any */
export function createHideQueries(html: string | null | undefined): ((text: string) => string) | undefined {
  if (html == null || !/data-nc-track/i.test(html)) return undefined
  const links = listUntracked(html).flatMap(spellingsOf)
  const places = new Set(links.map(hide))
  // The longest first: one link may begin another.
  const hidden = [...new Set(links)].filter((link) => link !== hide(link)).sort((a, b) => b.length - a.length)
  const byPlace = (text: string) =>
    text.replace(ADDRESS_LIKE, (all: string, before: string, query: string | undefined) => {
      const begin = query === undefined ? -1 : before.search(/https?:\/\/|\//i)
      return begin >= 0 && places.has(before.slice(begin)) ? before : all
    })
  return (text) => hidden.slice(0, MAX_LINKS).reduce((shown, link) => shown.replaceAll(link, hide(link)), byPlace(text))
}

/** @returns the text without the queries and fragments of all words with a slash before them */
export const hideAllQueries = (text: string): string => text.replace(/\S+/g, withoutQuery)

/** Looks at each sign once: an expression for the whole word would begin anew at each slash. */
function withoutQuery(word: string): string {
  let from = 0
  for (const { index } of word.matchAll(/[?#]/g)) {
    if (index + 1 < word.length && word.slice(from, index).includes('/')) return word.slice(0, index)
    from = index + 1
  }
  return word
}

/** What may contain a web address or a path, and its query or fragment. Without a query too, so that nothing is read twice. */
const ADDRESS_LIKE = /([^\s"'<>?#]+)([?#][^\s"'<>]*)?/g
const COMMENT = /^<!--([\s\S]*)-->$/
const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi

/** The links as they are written, of all that a program may read as a link: also in comments, and all behind unclear markup. */
function listUntracked(html: string): string[] {
  const links: string[] = []
  const end = readMarkup(html, ({ kind, written, attributes }) => {
    const comment = COMMENT.exec(written)?.[1]
    if (comment !== undefined) links.push(...listUntracked(comment))
    if (kind !== 'start' || !isUntracked(attributes)) return
    replaceAttributes(attributes, (key, value) => {
      if (key === 'href') links.push(value)
      return undefined
    })
  })
  const rest = html.slice(end)
  if (!/data-nc-track/i.test(rest)) return links
  return [...links, ...[...rest.matchAll(HREF)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')]
}

/** As it is written in HTML, as texts have it, and as providers report it. */
function spellingsOf(written: string): string[] {
  const link = decodeReferences(written).trim()
  return [written, link, ...(URL.canParse(link) ? [new URL(link).href] : [])]
}

/** A path of the customer's site tells less than what follows it. */
function hide(link: string): string {
  const end = link.search(/[?#]/)
  return end < 0 ? link : link.slice(0, end)
}
