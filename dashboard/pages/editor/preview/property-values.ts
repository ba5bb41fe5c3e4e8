// Reads what a person types as the value of a property, and shows values as text.

import type { Json } from '../../../../contract/json.ts'

/** @returns texts as they are, other values as JSON */
export const textOfValue = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * @param former The value before, whose kind stays where the text allows it: `74` in place of the text "73" is a text.
 * @returns a number, true, false, null, a list or an object where the text is one, else the text
 */
export function valueOfText(text: string, former?: Json): Json {
  if (typeof former === 'string') return text
  const trimmed = text.trim()
  if (trimmed === '' || /^0\d/.test(trimmed)) return text
  try {
    return JSON.parse(trimmed) as Json
  } catch {
    return text
  }
}
