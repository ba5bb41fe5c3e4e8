// Rewrites the addresses of links and pictures in the HTML of a mail.

import { safeLink } from '../../../contract/link.ts'
import { replaceStartTags } from '../../lib/markup.ts'

const ATTRIBUTE = /(?<=\s)([a-z-]{1,32})(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+))/gi
/** Attributes with an address that a person follows, and with one that mail programs load. */
const LINKS: Record<string, string> = { a: 'href', area: 'href' }
const PICTURES: Record<string, string> = { img: 'src', body: 'background', table: 'background', td: 'background' }
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

type Replace = (address: string) => string

/** Replaces the address of each link. `replace` gets and returns addresses as they are, not escaped. */
export function replaceLinks(html: string, replace: Replace): string {
  return replaceAddresses(html, LINKS, replace)
}

/** Makes paths absolute, in links and pictures: a mail has no host of its own. */
export function withHost(html: string, publicUrl: string): string {
  const absolute = (address: string) => (/^\/(?!\/)/.test(address) ? new URL(address, publicUrl).href : address)
  return replaceAddresses(replaceAddresses(html, LINKS, absolute), PICTURES, absolute)
}

/** @returns the address as a browser would ask for it; null: it is left alone, such as `mailto:`, `tel:` or a fragment */
export function followable(address: string): string | null {
  return /^https?:/i.test(address) && safeLink(address) !== null ? new URL(address).href : null
}

function replaceAddresses(html: string, attributes: Record<string, string>, replace: Replace): string {
  return replaceStartTags(html, (name, written) => {
    const wanted = attributes[name.toLowerCase()]
    if (wanted === undefined) return undefined
    const changed = written.replace(
      ATTRIBUTE,
      (attribute: string, key: string, equals: string, ...values: string[]) => {
        if (key.toLowerCase() !== wanted) return attribute
        const address = decode(values[0] ?? values[1] ?? values[2] ?? '').trim()
        const replaced = replace(address)
        return replaced === address ? attribute : `${key}${equals}"${escapeHtml(replaced)}"`
      },
    )
    return `<${name}${changed}>`
  })
}

function decode(value: string): string {
  return value.replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => ENTITIES[one] ?? one)
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
