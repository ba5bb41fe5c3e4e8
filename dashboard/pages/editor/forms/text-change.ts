// Finds the smallest change between two texts, and applies what was typed without a change of other line ends.

export interface TextChange {
  from: number
  to: number
  insert: string
}

/** @returns undefined for equal texts */
export function changeBetween(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined
  const most = Math.min(before.length, after.length)
  let begin = 0
  while (begin < most && before[begin] === after[begin]) begin++
  let end = 0
  while (end < most - begin && before.at(-1 - end) === after.at(-1 - end)) end++
  return { from: begin, to: before.length - end, insert: after.slice(begin, after.length - end) }
}

const LINE_END = /\r\n?/g

/** @returns a text as fields of browsers have it */
export const withPlainLines = (text: string): string => text.replace(LINE_END, '\n')

/**
 * Fields of browsers have `\n` at each end of a line, whatever the text had.
 *
 * @param typed the value of the field that showed `before`
 * @returns the text with what was typed, and with its other line ends as they were
 */
export function applyTyped(before: string, typed: string): string {
  if (!before.includes('\r')) return typed
  const change = changeBetween(withPlainLines(before), typed)
  if (change === undefined) return before
  const insert = before.includes('\r\n') ? change.insert.replaceAll('\n', '\r\n') : change.insert
  const applied = before.slice(0, placeIn(before, change.from)) + insert + before.slice(placeIn(before, change.to))
  // A lone `\r` that comes before a `\n` would be one end of a line with it.
  return withPlainLines(applied) === typed ? applied : typed
}

/** @returns the place in a text of one in its plain lines */
function placeIn(text: string, plain: number): number {
  let place = 0
  for (let left = plain; left > 0; left--) place += text.startsWith('\r\n', place) ? 2 : 1
  return place
}
