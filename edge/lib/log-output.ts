// Where the lines of the log go: standard output. A disk that is full, or a reader that has gone, costs lines and never the process.

import { fstatSync, writeSync } from 'node:fs'
import { systemClock, toIso } from './clock.ts'

let isHeard = false

/** Takes whole lines with their line feed. `descriptor` is for tests. */
export function createLogOutput(descriptor = 1): (line: string) => void {
  // Without a listener Node ends the process. The stream takes nothing more then, and what it was to say is lost.
  if (!isHeard) process.stdout.on('error', () => {})
  isHeard = true
  return isFile(descriptor) ? toFile(descriptor) : (line) => void process.stdout.write(line)
}

/**
 * Into a file without its stream, which would be of no use any more after its first fault: when there is room again,
 * the log goes on, and says how many lines it lost.
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
      // Nobody is left to be told: the log is where faults are told.
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
