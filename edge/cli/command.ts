// Declares a command of the command line: its name, flags, action and result.

import type { CommandContext } from './command-context.ts'

export interface Flag {
  /** Placeholder of the value in the help; without one the flag is a switch. */
  value?: string
  meaning: string
  required?: boolean
  /** May be given several times. */
  many?: boolean
}

/** The parsed arguments, checked against the flags. */
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

/** The result: `--json` prints `data`; otherwise the lines and the table are printed. */
export interface Outcome {
  data: unknown
  lines?: string[]
  table?: Table
  /** True: the command ran, and its result is negative (exit code 1). */
  failed?: boolean
}

export interface Command {
  noun: string
  /** Absent when the noun is the whole command. */
  verb?: string
  summary: string
  flags?: Record<string, Flag>
  run(input: Input, context: CommandContext): Promise<Outcome>
}

/** The error of wrong usage: exit code 2. */
export class UsageError extends Error {}

/** @returns The noun and verb that call the command. */
export function nameOf({ noun, verb }: Command): string {
  return verb === undefined ? noun : `${noun} ${verb}`
}
