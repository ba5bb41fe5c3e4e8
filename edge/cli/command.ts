// What a command of the command line is: its words, its flags, what it does, what it answers (contract section 11, last paragraph).

import type { Workplace } from './workplace.ts'

export interface Flag {
  /** What stands for its value in the help; without one it is a switch. */
  value?: string
  meaning: string
  required?: boolean
  /** May be given several times. */
  many?: boolean
}

/** What was typed, checked against the flags. */
export interface Input {
  text(name: string): string
  find(name: string): string | undefined
  list(name: string): string[]
  has(name: string): boolean
}

export interface Table {
  columns: string[]
  rows: (string | number | null)[][]
}

/** `data` is what `--json` prints; people see the lines and the table. */
export interface Outcome {
  data: unknown
  lines?: string[]
  table?: Table
  /** The command did its work, and the answer is no: exit code 1. */
  failed?: boolean
}

export interface Command {
  noun: string
  /** Absent when the noun says it all. */
  verb?: string
  summary: string
  flags?: Record<string, Flag>
  run(input: Input, place: Workplace): Promise<Outcome>
}

/** Typed wrongly: exit code 2. */
export class UsageError extends Error {}

/** The words that call it. */
export function wordsOf({ noun, verb }: Command): string {
  return verb === undefined ? noun : `${noun} ${verb}`
}
