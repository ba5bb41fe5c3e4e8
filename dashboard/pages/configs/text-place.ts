// Finds line and column of a position in a text.

/** @param position A 0-based offset. @returns Both from 1 on; the end for a position beyond it. */
export function placeOf(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position).split(/\r\n|\n|\r/)
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
