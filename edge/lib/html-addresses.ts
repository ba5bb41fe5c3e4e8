// Checks the addresses in HTML, also in attributes that only some programs read as addresses.

import { safeLink } from '../../contract/link.ts'
import { ADDRESS_ATTRIBUTES, ADDRESS_LIST_ATTRIBUTES } from './address-attributes.ts'
import { changeTags, decodeReferences } from './markup.ts'

/** Matches attributes with addresses. A value ends with its quote, so that many unclosed quotes take linear time; without quotes it takes no tag with it. */
const LINK = new RegExp(
  `(?<=[\\s"'/])(${[...ADDRESS_ATTRIBUTES, ...ADDRESS_LIST_ATTRIBUTES].join('|')})\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'<>]+))`,
  'gi',
)
/** Characters that browsers ignore within the name of a scheme. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const IGNORED = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028\u2029\ufeff]/g
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
/** A host whose author left out `https://`: as a path of the site it would lead nowhere. */
const BARE_HOST = /^www\./i
const IMAGE = /^data:image\/(?:png|gif|jpe?g|webp);/i
/** Longer links are the author's: web addresses alone. */
const MAX_CHECKED_CHARS = 2000

/** Removes destinations that a link of a message may not have; the text stays. Without a scheme they begin at the site. */
export function removeRefusedLinks(
  html: string,
  schemes: readonly string[],
  onDropped: (link: string) => void,
): string {
  return changeTags(html, createLinkCheck(schemes, onDropped))
}

/** @returns what removes the refused destinations from a start tag, a comment, or unclear markup */
export function createLinkCheck(
  schemes: readonly string[],
  onDropped: (link: string) => void,
): (written: string) => string {
  const check = (all: string, name: string, ...values: (string | undefined)[]) => {
    const value = writtenOf(values)
    if (isAllowed(name.toLowerCase(), value, schemes)) return all
    onDropped(value)
    return ''
  }
  return (written) => written.replace(LINK, check)
}

/** Lists the destinations in HTML that no setting of an environment allows, or only one that it does not have. */
export function listRefused(html: string, schemes: readonly string[]): string[] {
  const refused: string[] = []
  const check = (tag: string) => {
    for (const [, name = '', ...values] of tag.matchAll(LINK)) {
      const value = writtenOf(values)
      if (!isAllowed(name.toLowerCase(), value, schemes)) refused.push(value)
    }
    return tag
  }
  // A sign of Liquid may end a tag that goes on once it is rendered.
  if (/\{[{%]/.test(html)) check(html)
  else changeTags(html, check)
  return refused
}

const writtenOf = ([double, single, bare]: (string | undefined)[]) => decodeReferences(double ?? single ?? bare ?? '')

function isAllowed(name: string, value: string, schemes: readonly string[]): boolean {
  if (name === 'ping') return value.split(/\s+/).every((one) => isAllowed('', one, schemes))
  const target = value.replace(IGNORED, '')
  if (!SCHEME.test(target)) return !BARE_HOST.test(target)
  if (/^cid:/i.test(target) || (name === 'src' && IMAGE.test(target))) return true
  if (target.length > MAX_CHECKED_CHARS) return /^https?:/i.test(target)
  return safeLink(target, schemes) !== null
}
