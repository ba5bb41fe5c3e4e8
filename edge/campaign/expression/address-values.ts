// Bounds what a value changes in an address: it is one segment of the path, one value of the query, or one name of the host.

import { ADDRESS_ATTRIBUTES, ADDRESS_LIST_ATTRIBUTES } from '../../lib/address-attributes.ts'
import { findBeginnings } from './address-beginnings.ts'
import { AddressBranches, type AddressStates, goesOn, readTexts, readWritten } from './address-states.ts'
import { findBuilt } from './built-addresses.ts'
import { encodeBeginnings, encodeOrigins, NOT_IN_NAMES } from './built-beginning.ts'
import { findConstants } from './constant-texts.ts'
import { listAttributes, maskLiquid, OUTPUT_MARK } from './html-places.ts'
import type { OutputKind } from './liquid-markup.ts'
import { listParts, type TemplatePart, textBetween } from './template-parts.ts'

/** A segment of these is a step within the path, also when it is encoded. */
const DOTS = /^(?:\.|%2e){1,2}$/i
const withoutSteps = (segment: string) => (DOTS.test(segment) ? '_' : segment)
/** Letters of other scripts stay: browsers encode them, and they end no part of an address. */
const encode = (text: string) =>
  text.replace(NOT_IN_NAMES, (char) => encodeURIComponent(char.replace(/\p{Surrogate}/u, '\ufffd')))
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
  /** Between the first slash and another one, which would begin a host. */
  segment: (text: string) => withoutSteps(encode(text)) || '_',
  'escaped-segment': (text: string) => escaped(withoutSlashes(text)) || '_',
  /** A whole destination in Markdown, which white space would end. */
  whole: (text: string) => text.trim().replace(/\s/g, '%20'),
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
  if (kind === 'text' || !/\{[{%]/.test(source)) return []
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
  /(\]\(\s*<?)(?:[^\s()<>]|\([^\s()<>]*\))+|(<)(?=[a-z\ue000\ue001])[^\s<>]+(?=>)|(^ {0,3}\[[^\]\n]{1,999}\]:\s*<?)[^\s<>]+/gim

function listOfMarkdown(source: string): AddressRange[] {
  return [...maskLiquid(source).matchAll(OF_MARKDOWN)].map(({ 0: whole, index, ...groups }) => {
    const before = groups[1] ?? groups[2] ?? groups[3] ?? ''
    return { start: index + before.length, end: index + whole.length }
  })
}

interface AddressOutput {
  start: number
  end: number
  mode: AddressMode
  /** Of the address that it is in. */
  isList?: boolean
  /** It cannot be bounded where it stands; undefined where it can. */
  fault: string | undefined
}

/** Tags that print what nothing bounds. */
const PRINTING = /^(?:cycle|increment|decrement|render)$/
const PRINTING_LIQUID = /(?:liquid|\n)[^\S\n]*(?:echo|cycle|increment|decrement|render)\b/
const LEAVES_LOOP = /^\{%-?\s*(?:liquid\b[\s\S]*\b)?(?:break|continue)\b/
const BY_TAG = 'A tag prints here into an address, where nothing bounds it. Write {{ … }}.'
/** An address whose loops are in each other more deeply is read as if a turn could end within a host. */
const MAX_READINGS = 4
const MAX_CONSTANTS = 8
const PRINTS_NOTHING = /^(?:assign|capture|endcapture|comment)$/

/** @param checksBuilt Whether faults of addresses that are built before they are printed are found as well */
function listOutputs(source: string, kind: OutputKind | 'address', checksBuilt = false): AddressOutput[] {
  const ranges = listAddresses(source, kind)
  if (ranges.length === 0) return []
  const parts = listParts(source)
  const textsOf = findConstants(source, parts)
  const builtOf = checksBuilt ? findBuilt(source, parts) : () => []
  let next = 0
  return ranges.flatMap((range) => {
    while (next < parts.length && (parts[next]?.start ?? 0) < range.start) next++
    const first = next
    while (next < parts.length && (parts[next]?.end ?? 0) <= range.end) next++
    const within = parts.slice(first, next)
    const loops = new Map<number, AddressStates>()
    for (let reading = 1; ; reading++) {
      const { outputs, hasGrown } = readAddress({ source, kind, range, parts: within, textsOf, builtOf, loops })
      if (!hasGrown || reading > MAX_READINGS) return outputs
      if (reading === MAX_READINGS) for (const { tag, start } of within) if (tag === 'for') loops.set(start, IN_HOST)
    }
  })
}

interface Reading {
  source: string
  kind: OutputKind | 'address'
  range: AddressRange
  parts: readonly TemplatePart[]
  textsOf: ReturnType<typeof findConstants>
  builtOf: ReturnType<typeof findBuilt>
  loops: Map<number, AddressStates>
}

function readAddress({ source, kind, range, parts, textsOf, builtOf, loops }: Reading) {
  const outputs: AddressOutput[] = []
  const branches = new AddressBranches(loops)
  const read = (texts: readonly string[]) => {
    branches.states = readTexts(branches.states, texts)
  }
  let at = range.start
  for (const part of parts) {
    const text = textBetween(source, at, part.start)
    const last = range.isList ? lastOfList(text) : undefined
    if (last !== undefined) branches.states = NOTHING
    if (text !== '') read([readWritten(last ?? text, kind)])
    at = part.end
    const written = source.slice(part.start, part.end)
    const texts = textsOf(part)
    if (texts !== undefined) read(texts)
    else if (part.tag === undefined || part.tag === 'echo') {
      const isBeforeSlash = /[/\\]/.test(source[part.end] ?? '')
      const output = { ...part, ...judge(branches.states, written, isBeforeSlash), isList: range.isList === true }
      // Within an address, what was built is one value.
      const found = output.mode === 'whole' ? findFaultOfBuilt(builtOf(part)) : undefined
      // What is captured within the address was read there.
      const isNew = found !== undefined && outputs.every(({ fault }) => fault !== found)
      outputs.push(isNew ? { ...output, fault: found } : output)
      read(/segment$/.test(output.mode) ? [OUTPUT_MARK] : ['', OUTPUT_MARK])
    } else if (PRINTING.test(part.tag) || (part.tag === 'liquid' && PRINTING_LIQUID.test(written))) {
      outputs.push({ ...part, mode: 'whole', fault: BY_TAG })
      read(['', OUTPUT_MARK])
    } else branches.readTag(part, LEAVES_LOOP.test(written))
  }
  return { outputs, hasGrown: branches.hasGrown }
}

const findFaultOfBuilt = (ways: readonly string[]) =>
  ways.flatMap((way) => listOutputs(way, 'address')).find(({ fault }) => fault !== undefined)?.fault

/** @returns the addresses that are the same for each event although they are printed: of constants, in all their ways */
export function listConstantAddresses(source: string, kind: OutputKind | 'address'): string[] {
  const ranges = listAddresses(source, kind)
  const parts = ranges.length === 0 ? [] : listParts(source)
  const textsOf = findConstants(source, parts)
  const builtOf = findBuilt(source, parts)
  return ranges.flatMap((range) => {
    const within = parts.filter(({ start, end }) => start >= range.start && end <= range.end)
    let ways = ['']
    let at = range.start
    let captures = 0
    for (const part of within) {
      const text = captures > 0 ? '' : textBetween(source, at, part.start)
      const constants = textsOf(part) ?? builtOf(part).filter((way) => !/\{[{%]/.test(way))
      if (part.tag === 'endcapture') captures--
      const texts = captures > 0 || PRINTS_NOTHING.test(part.tag ?? '') ? [''] : constants
      if (part.tag === 'capture') captures++
      ways = ways.flatMap((way) => texts.map((one) => way + text + one)).slice(0, MAX_CONSTANTS)
      at = part.end
    }
    const rest = source.slice(at, range.end)
    return within.length === 0 || range.isList ? [] : ways.map((way) => readWritten(way + rest, kind).trim())
  })
}

/** @returns the beginning of the last address of a list; undefined where none begins in the text */
function lastOfList(text: string): string | undefined {
  const last = /\s\S*$/.exec(text)?.[0].slice(1)
  // A comma ends an address behind its descriptor alone.
  return last?.replace(/^[\d.]+[wxh],+/, '')
}

const NOTHING: AddressStates = new Set([''])
const IN_HOST: AddressStates = new Set(['//x'])
const ESCAPED = /\|\s*(?:url_encode|cgi_escape|uri_escape)\s*-?[%}]\}$/

const CONTINUES_HOST =
  'A value here could continue the host of the address, such as .evil.example. Write / before it; a whole path is written as {{ … | uri_escape }}.'
const MAY_BE_HOST =
  'What stands before this value may be empty, so that the address begins with // and the value is its host. Write / only where something stands before it.'

/**
 * An output is written for the least safe of what may stand before it.
 * @param isBeforeSlash A value without characters would leave two slashes, which begin a host
 */
function judge(states: AddressStates, output: string, isBeforeSlash: boolean): Pick<AddressOutput, 'mode' | 'fault'> {
  const isEscaped = ESCAPED.test(output)
  const list = [...states]
  if (list.some((state) => /^(?:(?:x:)?\/\/[x\ue000]|\ue000:?)$/.test(state)))
    return { mode: isEscaped ? 'escaped-path' : 'path', fault: isEscaped ? undefined : CONTINUES_HOST }
  if (list.every((state) => state === '')) return { mode: 'whole', fault: undefined }
  const fault =
    list.some((state) => /^\/\//.test(state)) && list.some((state) => /^\??\/$/.test(state)) ? MAY_BE_HOST : undefined
  const isSegment = isBeforeSlash && states.has('/')
  if (isEscaped) {
    const isBelow = list.some((state) => state.endsWith('/'))
    return { mode: isSegment ? 'escaped-segment' : isBelow ? 'escaped-below' : 'escaped', fault }
  }
  if (isSegment) return { mode: 'segment', fault }
  return { mode: list.every((state) => /^(?:x:x?)?$/.test(state)) ? 'opaque' : 'part', fault }
}

/** @returns A function that returns how a built address may begin, as `url_built` reads it; undefined for a value alone */
function findBuiltBeginnings(
  source: string,
  kind: OutputKind | 'address',
): (start: number, end: number) => string | undefined {
  if (!/\||\b(?:assign|capture)\b/.test(source)) return () => undefined
  const beginningsOf = findBeginnings(source, listParts(source), (text) => readWritten(text, kind))
  let origins: string | undefined
  return (start, end) => {
    const ways = beginningsOf.ofOutput({ start, end, tag: undefined })
    if (ways !== undefined) return encodeBeginnings(ways, goesOn(source.slice(end, end + 1)))
    origins ??= encodeOrigins(source)
    return origins
  }
}

/**
 * Adds a filter to outputs in addresses. One with which the address begins may be a whole address, which is checked later.
 * @param isSnippet Such an output may be an address that the template has built
 */
export function boundAddresses(source: string, kind: OutputKind | 'address', isSnippet = false): string {
  let bounded = ''
  let at = 0
  let origins: string | undefined
  const outputs = listOutputs(source, kind)
  const builtOf = outputs.some(({ mode }) => mode === 'whole') ? findBuiltBeginnings(source, kind) : () => undefined
  for (const { start, end, mode, isList } of outputs) {
    const written = source.slice(start, end)
    if (!/[^\s{}%-]/.test(written.replace(/^\{%-?\s*echo/, ''))) continue
    const beginnings = mode === 'whole' ? builtOf(start, end) : undefined
    const isBuilt = mode === 'whole' && (beginnings !== undefined || isSnippet)
    const isWritten = mode !== 'whole' || kind === 'markdown'
    if (!isBuilt && !isWritten) continue
    const isBuiltList = isList && beginnings !== undefined
    if (isBuiltList) origins ??= encodeOrigins(source)
    const filters = [
      ...(isBuilt ? [`url_built: "${beginnings ?? ''}"`] : []),
      ...(isBuiltList ? [`url_list: "${origins}"`] : []),
      ...(isWritten ? [`url_value: "${mode}"`] : []),
    ]
    const close = source[end - 3] === '-' ? end - 3 : end - 2
    bounded += `${source.slice(at, close)} | ${filters.join(' | ')} ${source.slice(close, end)}`
    at = end
  }
  return bounded + source.slice(at)
}

/** @returns a fault for each output that could continue a host, or that a tag prints without bounds */
export function findAddressFaults(
  source: string,
  kind: OutputKind | 'address',
): { message: string; position: number }[] {
  return listOutputs(source, kind, true).flatMap(({ fault, start }) =>
    fault === undefined ? [] : [{ message: fault, position: start }],
  )
}

/** @returns the host of an address whose author wrote it without a value; undefined where a value chooses it */
export function hostOf(source: string): string | undefined {
  const [, address] = /^\s*(https?:\/\/[^/\\?#\s{}@]+)(?:[/?#]|\s*$)/i.exec(source) ?? []
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined
}
