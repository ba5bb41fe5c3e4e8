// Prints the counts of a test to its output.

/** Writes one line with the counts as JSON. */
export function reportCounts(what: string, counts: object): void {
  process.stdout.write(`${what}: ${JSON.stringify(counts)}\n`)
}
