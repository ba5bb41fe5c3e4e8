// Defines a benchmark, its result and its tools. benchmarks.ts lists all benchmarks.

import type { Edges } from './edges.ts'

/** `rehearsal` runs every step with the smallest counts and keeps no figures. */
export type Profile = 'rehearsal' | 'quick' | 'full'

/** One line of a result. */
export interface Row {
  what: string
  value: string
  /** The value to reach, as text. A row without an aim is only reported. */
  aim?: string
  isMet?: boolean
}

export interface Finding {
  rows: Row[]
  /** Sentences below the table: alternation, disturbances, raw rounds. */
  notes?: string[]
}

export interface Bench {
  profile: Profile
  /** The long profile: more rounds, larger sizes. */
  isFull: boolean
  /** `NC_BENCH=rehearse`: runs every step in its smallest shape, for busy machines. Its figures are not meaningful. */
  isRehearsal: boolean
  /** Returns a size by profile. */
  pick<T>(sizes: Record<Profile, T>): T
  edges: Edges
  /** Prints one line of progress. */
  log(text: string): void
}

export interface Benchmark {
  /** Name for `npm run bench -- <name>`. */
  name: string
  /** Heading of its section in the results. */
  measures: string
  run(bench: Bench): Promise<Finding>
}

/** Returns a value with its aim. */
export function judged(value: string, aim: string, isMet: boolean): Pick<Row, 'value' | 'aim' | 'isMet'> {
  return { value, aim, isMet }
}

export const whole = (value: number) => Math.round(value).toLocaleString('en')
export const ratio = (value: number) => value.toFixed(2)
export const millis = (value: number) => `${value.toFixed(1)} ms`
export const pair = (p50: number, p99: number) => `${p50.toFixed(1)} / ${millis(p99)}`
export const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB`
