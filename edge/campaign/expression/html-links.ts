// Checks every link of rendered HTML, because values of untrusted users may be part of it.

import { ADDRESS_ATTRIBUTES, ADDRESS_LIST_ATTRIBUTES } from '../../lib/address-attributes.ts'
import { removeRefusedLinks } from '../../lib/html-addresses.ts'
import { changeTags } from '../../lib/markup.ts'
import { noteDroppedLink } from './noted-doubts.ts'

/** An attribute that names a host without a scheme. */
const NAMES_HOST = /=\s*(?:["']\s*)?\/\//
/** Up to the end of its tag, so that each is read once. */
const SRCSET = /\bsrcset\b[^>]*/gi
const namesHost = (template: string) =>
  NAMES_HOST.test(template) || template.match(SRCSET)?.some((written) => written.includes('//')) === true
/** In a value: what browsers read as the beginning of a host. */
const HOST = new RegExp(
  `([\\s"'/](?:${[...ADDRESS_ATTRIBUTES, ...ADDRESS_LIST_ATTRIBUTES].join('|')})\\s*=)(?:\\s*(["'])\\s*|\\s*)[/\\\\]\\s*[/\\\\]+`,
  'gi',
)

/** An author's slash before a value. */
const SLASH_BEFORE_VALUE = /\/\s*\{[{%]|prepend\s*:\s*["']\//

/** Returns whether an address that begins with `//` comes from a value behind a slash of the author. */
export const hasPathsOfValues = (template: string): boolean => SLASH_BEFORE_VALUE.test(template) && !namesHost(template)

/** Makes addresses that begin with `//` paths of the site: a value behind the slash of the author began with another one. */
export function keepOnSite(html: string): string {
  return changeTags(html, (tag) => tag.replace(HOST, '$1$2/'))
}

/** Removes destinations that a link of a message may not have, and notes each as a doubt. */
export function checkHtmlLinks(html: string, schemes: readonly string[] = []): string {
  return removeRefusedLinks(html, schemes, noteDroppedLink)
}
