// Finds where the outputs of an HTML template stand: in text, in the value of an attribute, in styles, or within a tag.

import { listParts } from './template-parts.ts'

/** Stand for outputs and tags of Liquid, so that what is in them is not read as markup. */
export const OUTPUT_MARK = '\ue000'
const TAG_MARK = '\ue001'

/** White space of HTML: a no-break space is part of a name or a value. */
const SPACE = /[\t\n\f\r \ue001]/
/** Elements whose content is text. */
const TEXT_ELEMENTS = new Set(['style', 'script', 'title', 'textarea'])

/** `tag`: in the name of a tag or of an attribute, or in a value without quotation marks. */
export type HtmlPlace = 'text' | 'value' | 'style' | 'tag'

export interface PlacedOutput {
  start: number
  end: number
  place: HtmlPlace
  /** Printed by a tag, such as `{% echo %}`, and not by `{{ }}`. */
  isTag: boolean
  isSnippet: boolean
}

const PRINTING_TAG = /^(?:echo|cycle|liquid|render)$/

/** Replaces what is between the marks of Liquid by marks of the same length. */
export function maskLiquid(source: string): string {
  let masked = ''
  let at = 0
  for (const { start, end, tag } of listParts(source)) {
    masked += source.slice(at, start) + (tag === undefined ? OUTPUT_MARK : TAG_MARK).repeat(end - start)
    at = end
  }
  return masked + source.slice(at)
}

/** Lists the outputs of a template in their order. It reads markup as browsers do, and what is in comments as markup. */
export function placeOutputs(source: string): PlacedOutput[] {
  const outputs: PlacedOutput[] = listParts(source)
    .filter(({ tag }) => tag === undefined || PRINTING_TAG.test(tag))
    .map(({ start, end, tag }) => ({
      start,
      end,
      isTag: tag !== undefined,
      isSnippet: tag === 'render',
      place: 'text',
    }))
  if (outputs.length === 0) return outputs
  const places = readPlaces(maskLiquid(source))
  let next = 0
  for (const output of outputs) {
    while (next < places.length && (places[next]?.end ?? 0) <= output.start) next += 1
    const found = places[next]
    if (found !== undefined && found.start <= output.start) output.place = found.place
  }
  return outputs
}

/** Adds a filter to outputs in styles, which print nothing but values of styles. */
export function boundStyles(source: string): string {
  if (!/\bstyle\b/i.test(source)) return source
  let bounded = ''
  let at = 0
  for (const { end, place, isTag } of placeOutputs(source)) {
    if (place !== 'style' || isTag) continue
    const close = source[end - 3] === '-' ? end - 3 : end - 2
    bounded += `${source.slice(at, close)} | css ${source.slice(close, end)}`
    at = end
  }
  return bounded + source.slice(at)
}

const IN_TAG =
  'This stands in a tag, outside of quotation marks, where a value could become another element or attribute. Put it into the value of an attribute, such as class="{{ … }}".'

const BY_TAG = 'A tag prints here into a style. Write {{ … }}, which prints nothing but a value of a style.'

const SNIPPET_IN_VALUE =
  'A snippet stands in text, not in the value of an attribute, whose values are bounded by where they stand. Write {{ … }} there.'

/** @returns the fault of the first output that stands within a tag, or is printed by a tag into a style, or by a snippet into a value; undefined without one */
export function findOutputInTag(source: string): { message: string; position: number } | undefined {
  if (!/\{[{%]/.test(source)) return undefined
  const faultOf = ({ place, isTag, isSnippet }: PlacedOutput) => {
    if (place === 'tag') return IN_TAG
    if (isTag && place === 'style') return BY_TAG
    return isSnippet && place === 'value' ? SNIPPET_IN_VALUE : undefined
  }
  for (const output of placeOutputs(source)) {
    const message = faultOf(output)
    if (message !== undefined) return { message, position: output.start }
  }
  return undefined
}

/** @returns whether text that follows the template would be in a tag, an attribute or styles */
export function endsInTag(source: string): boolean {
  return placeOutputs(`${source}{{}}`).at(-1)?.place !== 'text'
}

interface Place {
  start: number
  end: number
  place: HtmlPlace
  /** Of a value, in lower case. */
  attribute?: string
}

/** Lists the values of attributes in quotation marks, in their order, with the names of the attributes in lower case. */
export function listAttributes(source: string): { start: number; end: number; attribute: string }[] {
  return readPlaces(maskLiquid(source)).flatMap(({ start, end, attribute }) =>
    attribute === undefined ? [] : [{ start, end, attribute }],
  )
}

/** The parts of the markup that are not text, in their order. */
function readPlaces(markup: string): Place[] {
  const places: Place[] = []
  const lower = markup.toLowerCase()
  let at = 0
  const skip = (pattern: RegExp) => {
    while (at < markup.length && pattern.test(markup[at] as string)) at += 1
  }
  const until = (pattern: RegExp) => {
    while (at < markup.length && !pattern.test(markup[at] as string)) at += 1
  }

  function readValue(name: string): void {
    const quote = markup[at]
    if (quote !== '"' && quote !== "'") {
      until(/[\t\n\f\r >]/)
      return
    }
    const end = markup.indexOf(quote, at + 1)
    const place = { start: at + 1, end: end === -1 ? markup.length : end }
    const attribute = name.toLowerCase()
    places.push({ ...place, place: attribute === 'style' ? 'style' : 'value', attribute })
    at = place.end + 1
  }

  /** Reads from behind `<` to behind `>`, and the content of an element of text. */
  function readTag(): void {
    let from = at
    const close = (to: number) => {
      if (to > from) places.push({ start: from, end: to, place: 'tag' })
    }
    until(/[\t\n\f\r />\ue001]/)
    const name = lower.slice(from, at)
    for (;;) {
      skip(/[\t\n\f\r /\ue001]/)
      if (at >= markup.length || markup[at] === '>') break
      const nameAt = at
      at += 1
      until(/[\t\n\f\r />=\ue001]/)
      const attribute = markup.slice(nameAt, at)
      skip(SPACE)
      if (markup[at] !== '=') continue
      at += 1
      skip(SPACE)
      close(at)
      const valueAt = at
      readValue(attribute)
      from = places.at(-1)?.start === valueAt + 1 ? at : valueAt
    }
    close(at)
    at += 1
    if (!TEXT_ELEMENTS.has(name)) return
    const end = lower.indexOf(`</${name}`, at)
    const content = { start: at, end: end === -1 ? markup.length : end }
    places.push({ ...content, place: name === 'style' ? 'style' : 'text' })
    at = content.end
  }

  while (at < markup.length) {
    const found = markup.indexOf('<', at)
    if (found === -1) break
    at = found + 1
    if (markup.startsWith('!--', at)) at += 3
    else if (/[a-z/!?\ue000\ue001]/i.test(markup[at] ?? '')) readTag()
  }
  return places
}
