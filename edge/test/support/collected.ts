// What the outputs of a test file said that they must not (output.ts watches processes; given.ts gives the lines of its edges).

import { createOutputReader, describeLeak, type Leak, type OutputReader } from '../../../tools/test/leaks.ts'

interface Collected {
  leaks: Leak[]
  /** Lines of all outputs so far: none would mean that nobody looked. */
  lines(): number
}

const readers: OutputReader[] = []
export const collected: Collected = {
  leaks: [],
  lines: () => readers.reduce((sum, reader) => sum + reader.lines(), 0),
}

/** Reads one output; for people `source` names it. */
export function createCollector(source: string): OutputReader {
  const reader = createOutputReader(source, (leak) => collected.leaks.push(leak))
  readers.push(reader)
  return reader
}

/** Throws when something leaked; says where, and not what. */
export function refuseLeaks(): void {
  for (const reader of readers) reader.end()
  if (collected.leaks.length === 0) return
  const places = collected.leaks.slice(0, 20).map(describeLeak)
  throw new Error(`Secrets or e-mail addresses in the output:\n${places.join('\n')}`)
}
