// Separates the markup of a mail from its texts and addresses, in which mails of one layout and step differ.

import { randomUUID } from 'node:crypto'
import { readMarkup, replaceAttributes } from '../../lib/markup.ts'

export interface MarkupShape {
  /** The markup with a mark in place of each value. */
  shape: string
  /** Texts as they are written, and addresses as they are written in quotation marks. */
  values: string[]
}

/** Elements whose content is no markup. Of these, a title alone may have a value. */
const WITHOUT_MARKUP = new Set('title style script textarea xmp iframe noembed noframes noscript plaintext'.split(' '))
const ADDRESSES = new Set(['href', 'src'])
/** A parser decodes other entities: addresses with these stay in the shape. */
const IS_SIMPLE = /^(?:[^&]|&(?:amp|lt|gt|quot|#39);)*$/
/** Nobody else knows it, so no value contains a mark. */
const MARK = `value-${randomUUID()}-`
const MARKS = new RegExp(`${MARK}(\\d+);`)

/** @returns undefined for markup that parsers may read in several ways, and for styles that depend on values of attributes */
export function shapeOf(html: string): MarkupShape | undefined {
  const values: string[] = []
  const mark = (value: string) => `${MARK}${values.push(value) - 1};`
  let shape = ''
  let text = ''
  let inside: string | undefined
  let isAmbiguous = false
  const endText = () => {
    const isKept = (inside !== undefined && inside !== 'title') || text.trim() === ''
    if (inside === 'style' && text.includes('[')) isAmbiguous = true
    shape += isKept ? text : mark(text)
    text = ''
  }
  const end = readMarkup(html, (written, start, attributes) => {
    if (!written.startsWith('<') || written === '<') {
      text += written
      return
    }
    endText()
    if (inside !== undefined && written.slice(2, -1).trim().toLowerCase() !== inside) isAmbiguous = true
    inside = undefined
    if (start === undefined) {
      shape += written
      return
    }
    const rest = written.slice(1 + start.length + attributes.length)
    const marked = replaceAttributes(attributes, (name, value) =>
      ADDRESSES.has(name) && IS_SIMPLE.test(value) ? mark(value.replaceAll('"', '&quot;')) : undefined,
    )
    shape += `<${start}${marked}${rest}`
    if (WITHOUT_MARKUP.has(start.toLowerCase())) inside = start.toLowerCase()
  })
  endText()
  return isAmbiguous || end < html.length ? undefined : { shape, values }
}

/** Splits a shape, or what a parser made of it, for `fillShape`. */
export const splitShape = (shape: string): string[] => shape.split(MARKS)

/** Puts values in the places of their marks. */
export function fillShape(pieces: string[], values: string[]): string {
  return pieces.map((piece, at) => (at % 2 === 0 ? piece : values[Number(piece)])).join('')
}
