// What a benchmark is, and what it gets to work with. The list of them is benchmarks.ts.

import type { Edges } from './edges.ts'

/** `rehearsal`: every line of a benchmark with the smallest counts, on any machine; it has no figures worth keeping. */
export type Profile = 'rehearsal' | 'quick' | 'full'

/** One line of a result. */
export interface Row {
  what: string
  value: string
  /** As the issue says it; without one the line is only told. */
  aim?: string
  isMet?: boolean
}

export interface Finding {
  rows: Row[]
  /** Sentences below the table: what was alternated, what disturbs, raw rounds. */
  notes?: string[]
}

export interface Bench {
  profile: Profile
  /** The long profile: more rounds, larger sizes. */
  isFull: boolean
  /** `NC_BENCH=rehearse`: every round to its end in its smallest shape, on a machine that is busy otherwise. Its figures mean nothing. */
  isRehearsal: boolean
  /** A size by profile. */
  pick<T>(sizes: Record<Profile, T>): T
  edges: Edges
  /** One line of progress. */
  say(text: string): void
}

export interface Benchmark {
  /** As `npm run bench -- <name>` takes it. */
  name: string
  /** Heads its section of the results. */
  measures: string
  run(bench: Bench): Promise<Finding>
}

/** A value beside its aim. */
export function judged(value: string, aim: string, isMet: boolean): Pick<Row, 'value' | 'aim' | 'isMet'> {
  return { value, aim, isMet }
}

export const whole = (value: number) => Math.round(value).toLocaleString('en')
export const ratio = (value: number) => value.toFixed(2)
export const millis = (value: number) => `${value.toFixed(1)} ms`
export const pair = (p50: number, p99: number) => `${p50.toFixed(1)} / ${millis(p99)}`
export const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB`
