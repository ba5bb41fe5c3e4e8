// Finds the smallest change between two texts, so that a cursor elsewhere stays where it is.

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
