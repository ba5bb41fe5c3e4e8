// What a test counted, for whoever reads its output.

/** Writes a line; the counts as JSON. */
export function tell(what: string, counts: object): void {
  process.stdout.write(`${what}: ${JSON.stringify(counts)}\n`)
}
