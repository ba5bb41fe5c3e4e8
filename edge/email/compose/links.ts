// Rewrites the addresses of links and pictures in the HTML of a mail.

import { safeLink } from '../../../contract/link.ts'
import { replaceAttributes, replaceStartTags } from '../../lib/markup.ts'

/** Attributes with an address that a person follows (`href`), and with one that mail programs load. */
const ADDRESSES: Record<string, string> = {
  a: 'href',
  area: 'href',
  img: 'src',
  body: 'background',
  table: 'background',
  td: 'background',
}
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const ESCAPED = Object.fromEntries(Object.entries(ENTITIES).map(([entity, char]) => [char, entity]))

/**
 * Makes paths absolute, in links and pictures: a mail has no host of its own. Each link is then replaced by what `follow`
 * returns; it gets and returns addresses as they are, not escaped.
 */
export function rewriteAddresses(
  html: string,
  publicUrl: string,
  follow: (link: string) => string = (link) => link,
): string {
  const absolute = (address: string) =>
    /^\/(?!\/)/.test(address) && URL.canParse(address, publicUrl) ? new URL(address, publicUrl).href : address
  return replaceStartTags(html, (name, written) => {
    const wanted = ADDRESSES[name.toLowerCase()]
    if (wanted === undefined) return undefined
    const changed = replaceAttributes(written, (key, value) => {
      if (key !== wanted) return undefined
      const address = decode(value).trim()
      const replaced = wanted === 'href' ? follow(absolute(address)) : absolute(address)
      return replaced === address ? undefined : escapeHtml(replaced)
    })
    return `<${name}${changed}>`
  })
}

/** @returns the address as a browser would ask for it; null: it is left alone, such as `mailto:`, `tel:` or a fragment */
export function followable(address: string): string | null {
  return /^https?:/i.test(address) && safeLink(address) !== null && URL.canParse(address) ? new URL(address).href : null
}

function decode(value: string): string {
  return value.replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => ENTITIES[one] ?? one)
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPED[char] ?? char)
}
