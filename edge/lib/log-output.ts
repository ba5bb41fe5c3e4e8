// Writes log lines to standard output. A full disk or a closed reader loses lines, but never ends the process.

import { fstatSync, writeSync } from 'node:fs'
import { systemClock, toIso } from './clock.ts'

let hasErrorListener = false

/** Creates a writer of whole lines with their line feed. `descriptor` is for tests. */
export function createLogOutput(descriptor = 1): (line: string) => void {
  // Without a listener Node ends the process. After an error the stream accepts nothing more, and its lines are lost.
  if (!hasErrorListener) process.stdout.on('error', () => {})
  hasErrorListener = true
  return isFile(descriptor) ? toFile(descriptor) : (line) => void process.stdout.write(line)
}

/**
 * Writes to a file without its stream, which would be unusable after its first error. When there is space again, the log
 * continues and reports the number of lost lines.
 */
function toFile(descriptor: number): (line: string) => void {
  let lost = 0
  let isMidLine = false
  const add = (text: string): boolean => {
    const bytes = Buffer.from(isMidLine ? `\n${text}` : text)
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(descriptor, bytes, written)
    } catch {
      // The error cannot be logged, as the log itself has failed.
    }
    if (written > 0) isMidLine = written < bytes.length
    return written === bytes.length
  }
  return (line) => {
    if (lost > 0 && add(lossLine(lost))) lost = 0
    if (lost > 0 || !add(line)) lost++
  }
}

function lossLine(count: number): string {
  const time = toIso(systemClock.now())
  return `${JSON.stringify({ level: 'warn', time, count, msg: 'lines of the log were lost' })}\n`
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}
