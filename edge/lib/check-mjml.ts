// Finds what the converter of MJML passes on in silence: elements and attributes that it does not know.

import { readMarkup, replaceAttributes } from './markup.ts'

/** Elements whose content is HTML or text. */
const WITH_HTML = words(
  `mj-accordion-text mj-accordion-title mj-button mj-navbar-link mj-preview mj-raw mj-social-element mj-style mj-table
  mj-text mj-title`,
)
const ELEMENTS = new Set([
  ...WITH_HTML,
  ...words(
    `mjml mj-accordion mj-accordion-element mj-all mj-attributes mj-body mj-breakpoint mj-carousel mj-carousel-image
    mj-class mj-column mj-divider mj-font mj-group mj-head mj-hero mj-html-attribute mj-html-attributes mj-image
    mj-include mj-navbar mj-section mj-selector mj-social mj-spacer mj-wrapper`,
  ),
])
/** Those of all elements together: a default in `mj-attributes` may be for any of them. */
const ATTRIBUTES = words(
  `align alt animation background-color background-height background-position background-position-x
  background-position-y background-repeat background-size background-url background-width base-url border border-bottom
  border-collapse border-color border-left border-radius border-right border-spacing border-style border-top border-width
  cellpadding cellspacing class color container-background-color css-class dir direction fluid-on-mobile font-family
  font-size font-style font-weight full-width gap hamburger height href ico-align ico-close ico-color ico-font-family
  ico-font-size ico-line-height ico-open ico-padding ico-padding-bottom ico-padding-left ico-padding-right
  ico-padding-top ico-text-decoration ico-text-transform icon-align icon-height icon-padding icon-position icon-size
  icon-unwrapped-alt icon-unwrapped-url icon-width icon-wrapped-alt icon-wrapped-url id inline inner-background-color
  inner-border inner-border-bottom inner-border-left inner-border-radius inner-border-right inner-border-top inner-padding
  inner-padding-bottom inner-padding-left inner-padding-right inner-padding-top lang left-icon letter-spacing line-height
  max-width mj-class mode name owa padding padding-bottom padding-left padding-right padding-top path position rel
  right-icon role sizes src srcset support-outlook-classic table-layout target tb-border tb-border-radius
  tb-hover-border-color tb-selected-border-color tb-width text-align text-decoration text-padding text-transform
  thumbnails thumbnails-src title type usemap vertical-align width word-break`,
)

export interface FoundFault {
  fault: string
  position: number
}

/** @returns the first element or attribute that MJML does not have, with its offset in the source; undefined without one */
export function findUnknownMarkup(source: string): FoundFault | undefined {
  let found: FoundFault | undefined
  let at = 0
  let html: string | undefined
  const end = readMarkup(source, ({ kind, written, name, attributes }) => {
    const start = kind === 'start' ? name : undefined
    found ??= start === undefined || html !== undefined ? undefined : faultOf(start, attributes, source, at)
    if (kind === 'end' && name === html) html = undefined
    if (html === undefined && start !== undefined && WITH_HTML.has(start) && !written.endsWith('/>')) html = start
    at += written.length
  })
  // What stands behind markup that parsers read in several ways is searched for names alone.
  const rest = [...source.slice(end).matchAll(/<(mj[a-z0-9-]*)/g)].find(([, name = '']) => !ELEMENTS.has(name))
  if (found !== undefined || rest === undefined) return found
  return faultOf(rest[1] ?? '', '', source, end + rest.index)
}

function faultOf(name: string, attributes: string, source: string, position: number): FoundFault | undefined {
  const place = `on line ${source.slice(0, position).split('\n').length}`
  if (!ELEMENTS.has(name)) {
    const hint = name.startsWith('mj') ? '' : ': HTML stands in mj-text or mj-raw'
    return { fault: `there is no element ${name} ${place}${hint}`, position }
  }
  let unknown: string | undefined
  replaceAttributes(attributes, (attribute) => {
    if (!ATTRIBUTES.has(attribute)) unknown ??= attribute
    return undefined
  })
  return unknown === undefined ? undefined : { fault: `there is no attribute ${unknown} of ${name} ${place}`, position }
}

const ADDRESS = /https?:\/\/[^\s"'()<>]+/g
/** Names of the formats of a document: nothing is loaded from there. */
const FORMATS = /^https?:\/\/(?:www\.w3\.org|schemas\.microsoft\.com)\//

/** @returns an address that the converter adds, such as that of a picture of another server; undefined without one */
export function findForeignAddress(source: string, html: string): string | undefined {
  const own = new Set(source.replaceAll('&amp;', '&').match(ADDRESS))
  const used = html.replaceAll('&amp;', '&').match(ADDRESS) ?? []
  return used.find((address) => !own.has(address) && !FORMATS.test(address))
}

function words(text: string): Set<string> {
  return new Set(text.split(/\s+/))
}
