// Finds texts by their beginning along an index, or by a part of them. Text is compared by its bytes on both engines.

/** The code point after which no text continues. */
const LAST = '\u{10FFFF}'

/** @returns The bounds of all texts with this beginning: the first one inclusive, the second one exclusive. */
export function boundsOf(beginning: string): [from: string, to: string] {
  return [beginning, beginning + LAST]
}

/** @returns The text as LOWER() of both engines writes it: letters A to Z only. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** @returns The pattern of `LIKE ? ESCAPE '\\'` for lowered texts that contain this one, in any case of A to Z. */
export function containing(part: string): string {
  return `%${lowerAscii(part).replace(/[\\%_]/g, '\\$&')}%`
}
