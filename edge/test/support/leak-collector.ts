// Collects secrets found in the outputs of a test file (watch-output.ts reads processes; given.ts adds its edges' logs).

import { createOutputReader, describeLeak, type Leak, type OutputReader } from '../../../tools/test/leaks.ts'

interface Collected {
  leaks: Leak[]
  /** Lines of all outputs so far; zero would mean that no output was read. */
  lines(): number
}

const readers: OutputReader[] = []
export const collected: Collected = {
  leaks: [],
  lines: () => readers.reduce((sum, reader) => sum + reader.lines(), 0),
}

/** Creates a reader for one output; `source` names it in the failure. */
export function createCollector(source: string): OutputReader {
  const reader = createOutputReader(source, (leak) => collected.leaks.push(leak))
  readers.push(reader)
  return reader
}

/** @throws when something leaked, with its position and not its value */
export function throwOnLeaks(): void {
  for (const reader of readers) reader.end()
  if (collected.leaks.length === 0) return
  const places = collected.leaks.slice(0, 20).map(describeLeak)
  throw new Error(`Secrets or e-mail addresses in the output:\n${places.join('\n')}`)
}
