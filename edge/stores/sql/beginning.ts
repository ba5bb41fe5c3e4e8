// Finds texts by their beginning along an index, or by a part of them. Text is compared by its bytes on both engines, so
// what people search is stored a second time without case and accents.

/** The code point after which no text continues. */
const LAST = '\u{10FFFF}'

/** @returns The bounds of all texts with this beginning: the first one inclusive, the second one exclusive. */
export function boundsOf(beginning: string): [from: string, to: string] {
  return [beginning, beginning + LAST]
}

/** Small letters that have another form beside case and accents, or a stroke instead of an accent. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ı: 'i',
  ς: 'σ',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
}

/** @returns The text without case and accents: `Ömer`, `ÖMER` and `omer` are the same, and `Straße` and `STRASSE`. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[ßıςøłđæœ]/g, (letter) => PLAIN[letter] ?? letter)
}

/** @returns The pattern of `LIKE ? ESCAPE '\\'` for folded texts that contain this one. */
export function containing(part: string): string {
  return `%${foldText(part).replace(/[\\%_]/g, '\\$&')}%`
}
