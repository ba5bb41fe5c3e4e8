// Bounds what a value changes in an address: it is one segment of the path, one value of the query, or one name of the host.

import { ADDRESS_ATTRIBUTES, ADDRESS_LIST_ATTRIBUTES } from '../../lib/address-attributes.ts'
import { listAttributes, maskLiquid, OUTPUT_MARK, partsBetween } from './html-places.ts'
import type { OutputKind } from './liquid-markup.ts'

/** A template of this length before a value has a host, or none that anybody would read. */
const MAX_HOST_CHARS = 2048

/** A segment of these is a step within the path, also when it is encoded. */
const DOTS = /^(?:\.|%2e){1,2}$/i
const withoutSteps = (segment: string) => (DOTS.test(segment) ? '_' : segment)
/** Letters of other scripts stay: browsers encode them, and they end no part of an address. */
const encode = (text: string) =>
  text.replace(/[^\w.-]/gu, (char) =>
    /[^\p{ASCII}\p{Z}\p{C}]/u.test(char) ? char : encodeURIComponent(char.replace(/\p{Surrogate}/u, '\ufffd')),
  )
const withoutSlashes = (text: string) => text.replace(/^[/\\]+/, '')
/** What the author encoded, with its slashes. */
const escaped = (text: string) =>
  text
    .replace(/[?#\\]/g, (char) => encodeURIComponent(char))
    .split('/')
    .map(withoutSteps)
    .join('/')

/** How a value is written, by its place; `escaped…`: the author has encoded it by a filter. */
const MODES = {
  part: (text: string) => withoutSteps(encode(text)),
  /** Behind a host without a slash, so that it cannot continue the host. */
  path: (text: string) =>
    text === '' ? '' : `/${withoutSlashes(text).split('/').map(encode).map(withoutSteps).join('/')}`,
  /** In addresses without a host, such as `mailto:` and `tel:`. */
  opaque: (text: string) => encode(text).replace(/%40|%2B/g, decodeURIComponent),
  escaped,
  'escaped-below': (text: string) => escaped(withoutSlashes(text)),
  'escaped-path': (text: string) => (text === '' ? '' : `/${escaped(withoutSlashes(text))}`),
}
export type AddressMode = keyof typeof MODES

/** Writes a value into an address. A mode that does not exist counts as `part`. */
export function writeIntoAddress(text: string, mode: string): string {
  return Object.hasOwn(MODES, mode) ? MODES[mode as AddressMode](text) : MODES.part(text)
}

export interface AddressRange {
  start: number
  end: number
  /** Several addresses, such as a `srcset`. */
  isList?: boolean
}

/** @returns the addresses of a template, in their order. A text of the kind `address` is one as a whole */
export function listAddresses(source: string, kind: OutputKind | 'address'): AddressRange[] {
  if (kind === 'text' || !source.includes('{{')) return []
  if (kind === 'address') return [{ start: 0, end: source.length }]
  return kind === 'markdown' ? listOfMarkdown(source) : listOfHtml(source)
}

function listOfHtml(source: string): AddressRange[] {
  return listAttributes(source).flatMap(({ start, end, attribute }) => {
    const isList = ADDRESS_LIST_ATTRIBUTES.has(attribute)
    return isList || ADDRESS_ATTRIBUTES.has(attribute) ? [{ start, end, isList }] : []
  })
}

/** Destinations of links and pictures, links in `<>`, and definitions of references. */
const OF_MARKDOWN =
  /(\]\(\s*<?)(?:[^\s()<>]|\([^\s()<>]*\))+|(<)(?=[a-z\ue000])[^\s<>]+(?=>)|(^ {0,3}\[[^\]\n]{1,999}\]:\s*<?)[^\s<>]+/gim

function listOfMarkdown(source: string): AddressRange[] {
  return [...maskLiquid(source).matchAll(OF_MARKDOWN)].map(({ 0: whole, index, ...groups }) => {
    const before = groups[1] ?? groups[2] ?? groups[3] ?? ''
    return { start: index + before.length, end: index + whole.length }
  })
}

interface AddressOutput {
  start: number
  end: number
  mode: AddressMode | 'whole'
  /** It would continue a host that stands before it. */
  continuesHost: boolean
}

/** What begins, ends and divides parts of which one alone is printed. */
const BEGINS = /^(?:if|unless|case|for|tablerow)$/
const DIVIDES = /^(?:else|elsif|when)$/
const ENDS = /^end(?:if|unless|case|for|tablerow)$/
const TAG = /^\{%-?\s*(\w+)/

function listOutputs(source: string, ranges: readonly AddressRange[]): AddressOutput[] {
  const outputs: AddressOutput[] = []
  const parts = [...partsBetween(source, '{{', '}}'), ...partsBetween(source, '{%', '%}')].sort(
    (one, other) => one.start - other.start,
  )
  let next = 0
  for (const { start: begin, end: close, isList } of ranges) {
    const branches: string[] = []
    let [before, at] = ['', begin]
    while (next < parts.length && (parts[next]?.start ?? 0) < begin) next++
    for (let part = parts[next]; part !== undefined && part.end <= close; part = parts[++next]) {
      before += source.slice(at, part.start)
      at = part.end
      if (source.startsWith('{{', part.start)) {
        outputs.push({
          ...part,
          ...judge(isList ? before.replace(/^[\s\S]*[\s,]/, '') : before, source.slice(part.start, part.end)),
        })
        before += OUTPUT_MARK
        continue
      }
      const tag = TAG.exec(source.slice(part.start, part.start + 64))?.[1] ?? ''
      if (BEGINS.test(tag)) branches.push(before)
      else if (DIVIDES.test(tag)) before = branches.at(-1) ?? before
      else if (ENDS.test(tag)) branches.pop()
    }
  }
  return outputs
}

const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}([^/\\?#]*)$/i
const OPAQUE = /^[a-z][a-z0-9+.-]*:(?![/\\])[^?#]*$/i
const ESCAPED = /\|\s*(?:url_encode|cgi_escape|uri_escape)\s*-?\}\}$/

/** @param before What the author wrote before an output of the address, with a mark for each other output */
function judge(before: string, output: string): Pick<AddressOutput, 'mode' | 'continuesHost'> {
  const text = before.length > MAX_HOST_CHARS ? '/' : before.trimStart()
  const isEscaped = ESCAPED.test(output)
  if (text === '') return { mode: 'whole', continuesHost: false }
  const host = AUTHORITY.exec(text)?.[1]
  const isBehindValue = text.startsWith(OUTPUT_MARK) && !/[/?#]/.test(text)
  if (isBehindValue || (host !== undefined && /[^\ue000.]/.test(host))) {
    return { mode: isEscaped ? 'escaped-path' : 'path', continuesHost: !isEscaped }
  }
  if (isEscaped) return { mode: text.endsWith('/') ? 'escaped-below' : 'escaped', continuesHost: false }
  return { mode: OPAQUE.test(text) ? 'opaque' : 'part', continuesHost: false }
}

/** Adds a filter to outputs in addresses. One with which the address begins may be a whole address, which is checked later. */
export function boundAddresses(source: string, kind: OutputKind | 'address'): string {
  let bounded = ''
  let at = 0
  for (const { start, end, mode } of listOutputs(source, listAddresses(source, kind))) {
    if (mode === 'whole' || !/[^\s{}-]/.test(source.slice(start, end))) continue
    const close = source[end - 3] === '-' ? end - 3 : end - 2
    bounded += `${source.slice(at, close)} | url_value: "${mode}" ${source.slice(close, end)}`
    at = end
  }
  return bounded + source.slice(at)
}

const CONTINUES_HOST =
  'A value here could continue the host of the address, such as .evil.example. Write / before it; a whole path is written as {{ … | uri_escape }}.'

/** @returns a fault for each output that could continue a host */
export function findHostFaults(source: string, kind: OutputKind | 'address'): { message: string; position: number }[] {
  return listOutputs(source, listAddresses(source, kind))
    .filter(({ continuesHost }) => continuesHost)
    .map(({ start }) => ({ message: CONTINUES_HOST, position: start }))
}

/** @returns the host of an address whose author wrote it without a value; undefined where a value chooses it */
export function hostOf(source: string): string | undefined {
  const [, address] = /^\s*(https?:\/\/[^/\\?#\s{}@]+)(?:[/?#]|\s*$)/i.exec(source) ?? []
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined
}
