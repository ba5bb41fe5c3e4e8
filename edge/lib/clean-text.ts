// Removes from rendered texts what no message may have, before anything in them is judged.

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** @returns the text without control characters except tab and line feed, and without halves of characters that a filter may leave */
export function clean(text: string): string {
  return text.toWellFormed().replace(CONTROL, '')
}
