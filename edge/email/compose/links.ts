// Rewrites the addresses of links and pictures in the HTML of a mail: a mail has no host of its own.

import { safeLink } from '../../../contract/link.ts'
import { ADDRESS_ATTRIBUTES, ADDRESS_LIST_ATTRIBUTES } from '../../lib/address-attributes.ts'
import { decodeReferences, readMarkup, replaceAttributes } from '../../lib/markup.ts'
import { FOLLOWED, isUntracked } from '../../lib/untracked-links.ts'

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const CSS_URL = /(\burl\(\s*)(["']?)([^"'()\s]{1,2048})\2(?=\s*\))/gi
/** Outlook alone reads what is in such a comment. */
const OUTLOOK = /^(<!--\[if[^\]<>]*\]>)([\s\S]*)(<!\[endif\]-->)$/i
/** How providers are told to leave a link alone; each ignores the others'. */
const UNTRACKED = ' clicktracking="off" disable-tracking="true" data-pm-no-track ses:no-track'

export interface RewriteOptions {
  /** Each link is replaced by what it returns. It gets and returns addresses as they are, not escaped. */
  follow?: ((link: string) => string) | undefined
  /** Tells the provider which links it must not track. */
  marksUntracked?: boolean
}

/**
 * Makes addresses without scheme absolute, in links, pictures and styles: paths begin at `site`. Links with
 * `data-nc-track="off"` are not followed.
 */
export function rewriteAddresses(html: string, site: string, options: RewriteOptions = {}): string {
  const base = site.replace(/\/+$/, '')
  const absolute = (address: string) => toAbsolute(address, base)
  let rewritten = ''
  let isSheet = false
  const end = readMarkup(html, ({ kind, written, name, attributes }) => {
    if (kind === 'start') rewritten += rewriteTag({ written, name, attributes }, absolute, options)
    else if (kind === 'text' && isSheet) rewritten += rewriteStyle(written, absolute)
    else if (kind === 'other') rewritten += rewriteComment(written, base)
    else rewritten += written
    isSheet = kind === 'start' && /^style$/i.test(name)
  })
  return rewritten + html.slice(end)
}

interface Tag {
  written: string
  name: string
  attributes: string
}

function rewriteTag(
  { written, name, attributes }: Tag,
  absolute: (address: string) => string,
  { follow, marksUntracked = false }: RewriteOptions,
): string {
  const isFollowed = FOLLOWED.has(name.toLowerCase())
  const isOff = isFollowed && isUntracked(attributes)
  const changed = replaceAttributes(attributes, (key, value) => {
    if (key === 'style') return changedOnly(value, (style) => rewriteStyle(style, absolute))
    if (ADDRESS_LIST_ATTRIBUTES.has(key)) return changedOnly(value, (list) => rewriteList(list, absolute))
    if (!ADDRESS_ATTRIBUTES.has(key)) return undefined
    const isLink = isFollowed && key === 'href' && !isOff && follow !== undefined
    return changedOnly(value, (address) => (isLink ? follow(absolute(address)) : absolute(address)))
  })
  if (!isOff || !marksUntracked) return changed === attributes ? written : `<${name}${changed}${endOf(written)}`
  return `<${name}${changed}${UNTRACKED}${endOf(written)}`
}

const endOf = (tag: string) => (/\s\/>$/.test(tag) ? ' />' : '>')

/** @returns undefined where the value stays as it is written */
function changedOnly(written: string, change: (value: string) => string): string | undefined {
  const value = decodeReferences(written).trim()
  const changed = change(value)
  return changed === value ? undefined : escapeHtml(changed)
}

const rewriteStyle = (css: string, absolute: (address: string) => string) =>
  css.replace(CSS_URL, (_, begin: string, quote: string, address: string) => begin + quote + absolute(address) + quote)

/** Each item of a `srcset` begins with an address; a comma may be part of it. */
const rewriteList = (list: string, absolute: (address: string) => string) =>
  list.replace(/([^\s,]+(?:,+[^\s,]+)*)([^,]*,?)/g, (_, address: string, rest: string) => absolute(address) + rest)

function rewriteComment(written: string, base: string): string {
  const [, begin, inner, end] = OUTLOOK.exec(written) ?? []
  return inner === undefined ? written : begin + rewriteAddresses(inner, base) + end
}

/** @param base without a slash at the end */
function toAbsolute(address: string, base: string): string {
  if (address === '' || address.startsWith('#') || /^[a-z][a-z0-9+.-]*:/i.test(address)) return address
  if (address.startsWith('//')) return URL.canParse(`https:${address}`) ? new URL(`https:${address}`).href : address
  const isPath = address.startsWith('/')
  if (!URL.canParse(isPath ? base + address : address, `${base}/`)) return address
  return new URL(isPath ? base + address : address, `${base}/`).href
}

/** @returns the address as a browser would ask for it; null: it is left alone, such as `mailto:`, `tel:` or a fragment */
export function followable(address: string): string | null {
  return /^https?:/i.test(address) && safeLink(address) !== null && URL.canParse(address) ? new URL(address).href : null
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPED[char] ?? char)
}
