// Sets the lines of two texts side by side: equal ones in one row, removed ones left, added ones right.

export interface LinePair {
  kind: 'equal' | 'changed' | 'gap'
  left: string | undefined
  right: string | undefined
}

/** Equal lines around a difference that are shown. */
const CONTEXT = 3
/** More comparisons would be felt; the middle of larger differences is then shown as one. */
const MOST_COMPARED = 4_000_000

/** @returns the rows; far from a difference, equal lines are one row of kind `gap` */
export function linePairs(before: string, after: string): LinePair[] {
  const [left, right] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start++
  let end = 0
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end++
  const [middleLeft, middleRight] = [left.slice(start, left.length - end), right.slice(start, right.length - end)]
  const same = (line: string): LinePair => ({ kind: 'equal', left: line, right: line })
  return withGaps([
    ...left.slice(0, start).map(same),
    ...compare(middleLeft, middleRight),
    ...left.slice(left.length - end).map(same),
  ])
}

function compare(left: readonly string[], right: readonly string[]): LinePair[] {
  if (left.length * right.length > MOST_COMPARED) return besides(left, right)
  // Longest common subsequence, from the end, so that the rows come in their order.
  const width = right.length + 1
  const lengths = new Uint32Array((left.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = left.length - 1; row >= 0; row--)
    for (let column = right.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const pairs: LinePair[] = []
  let [row, column] = [0, 0]
  let removed: string[] = []
  let added: string[] = []
  const flush = () => {
    pairs.push(...besides(removed, added))
    removed = []
    added = []
  }
  while (row < left.length && column < right.length) {
    const line = left[row] as string
    if (line === right[column]) {
      flush()
      pairs.push({ kind: 'equal', left: line, right: line })
      row++
      column++
    } else if (at(row + 1, column) >= at(row, column + 1)) removed.push(left[row++] as string)
    else added.push(right[column++] as string)
  }
  removed.push(...left.slice(row))
  added.push(...right.slice(column))
  flush()
  return pairs
}

/** @returns rows in which removed lines stand beside added ones */
function besides(removed: readonly string[], added: readonly string[]): LinePair[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => ({
    ...{ kind: 'changed' as const, left: removed[index], right: added[index] },
  }))
}

function withGaps(pairs: readonly LinePair[]): LinePair[] {
  const near = new Set<number>()
  pairs.forEach(({ kind }, index) => {
    if (kind === 'equal') return
    for (let at = index - CONTEXT; at <= index + CONTEXT; at++) near.add(at)
  })
  return pairs.flatMap((pair, index): LinePair[] => {
    if (near.has(index)) return [pair]
    return index === 0 || near.has(index - 1) ? [{ kind: 'gap', left: undefined, right: undefined }] : []
  })
}
