// Finds links of a mail that their author leaves out of the tracking, and keeps their queries out of what is shown later.

import { decodeReferences, readMarkup, replaceAttributes } from './markup.ts'

/** Elements with a link that a person follows. */
export const FOLLOWED = new Set(['a', 'area'])
const MAX_LINKS = 100

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
  const found = new Map<string, string>()
  readMarkup(html, ({ kind, name, attributes }) => {
    if (kind !== 'start' || !FOLLOWED.has(name.toLowerCase()) || !isUntracked(attributes)) return
    replaceAttributes(attributes, (key, value) => {
      if (key === 'href' && found.size < 3 * MAX_LINKS) for (const one of spellingsOf(value)) found.set(one, hide(one))
      return undefined
    })
  })
  // The longest first: one link may begin another.
  const hidden = [...found].filter(([link, shown]) => link !== shown).sort(([a], [b]) => b.length - a.length)
  return (text) => hidden.reduce((shown, [link, short]) => shown.replaceAll(link, short), text)
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
