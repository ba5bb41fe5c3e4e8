// Converts MJML, a language for layouts of mails, to HTML.

import mrml from 'mrml'
import { findForeignAddress, findUnknownMarkup } from './check-mjml.ts'
import { measureMarkup } from './markup.ts'

const engine = new mrml.Engine()
// Without fonts of its own: it loads those from elsewhere.
engine.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} })
/** The parser is recursive: some 500 levels break it for the whole process. */
const MAX_DEPTH = 150
/** Each one adds styles for all others. */
const MAX_CAROUSEL_IMAGES = 30

export interface MjmlFault {
  fault: string
  /** A 0-based offset in the source; undefined where the parser names none. */
  position?: number
}

/** @returns the HTML, or what is wrong with the source. Includes are not followed. */
export function mjmlToHtml(source: string): { html: string } | MjmlFault {
  // The parser reads conditional comments as markup.
  const whole = source.replace(/<!--\[if[^\]]*\]>|<!\[endif\]-->|<!--|-->/g, '')
  const depths = [source, whole].map((text) => measureMarkup(text, { selfCloses: true }).depth)
  if (Math.max(...depths) > MAX_DEPTH) return { fault: 'elements are nested too deeply' }
  if ((source.match(/<mj-carousel-image\b/g)?.length ?? 0) > MAX_CAROUSEL_IMAGES) {
    return { fault: `a layout has at most ${MAX_CAROUSEL_IMAGES} pictures in carousels` }
  }
  const result = engine.toHtml(source)
  return result.type === 'success' ? { html: result.content } : faultOf(result.message, source)
}

/**
 * @returns what is wrong with a source that is to be stored: also what the conversion passes on in silence, and what it would
 * load from a server that the source does not name. Undefined without a fault.
 */
export function findMjmlFault(source: string): MjmlFault | undefined {
  const converted = mjmlToHtml(source)
  if ('fault' in converted) return converted
  const unknown = findUnknownMarkup(source)
  if (unknown !== undefined) return unknown
  const foreign = findForeignAddress(source, converted.html)
  if (foreign === undefined) return undefined
  return { fault: `it would load ${foreign}, which it does not name: give the element an address of yours` }
}

const PLACE = / at position (\d+):\d+$/

/** The parser counts bytes, and calls every source "root template". */
function faultOf(message: string, source: string): MjmlFault {
  const fault = message.replace(PLACE, '').replace(' in root template', '')
  const [, bytes] = PLACE.exec(message) ?? []
  if (bytes === undefined) return { fault }
  return { fault, position: Buffer.from(source).subarray(0, Number(bytes)).toString().length }
}
