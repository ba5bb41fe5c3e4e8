// Counts how many letters differ between two texts.

/** @returns The Levenshtein distance, in code points. The time is the product of both lengths. */
export function distance(left: string, right: string): number {
  const others = [...right]
  let row = Array.from({ length: others.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...left].entries()) {
    const next = [at + 1]
    for (const [column, other] of others.entries()) {
      const swapped = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[others.length] ?? 0
}
