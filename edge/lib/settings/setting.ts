// Declares, parses and describes rows of a table of settings; `config.ts` has the rows.

import { findDurationMs } from '../../../contract/duration.ts'

/** One row. `parse` gets the default when the variable is unset, and throws a Fault that describes valid values. */
export interface Setting<T> {
  name: string
  /** Undefined: none. */
  default?: string
  meaning: string
  /** `secret`: NAME_FILE may name a file that holds it. `quoted`: a quote at one end belongs to the value. */
  written?: 'secret' | 'quoted'
  parse(value: string | undefined): T
}
export type SettingTable = Record<string, Setting<unknown>>

/** The error of one value; its text completes the sentence "NAME must be …". */
export class Fault extends Error {}

/** The error of all invalid settings, one line each. */
export class SettingsError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`The settings have faults:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'SettingsError'
    this.problems = problems
  }
}

/** Parses every row as `read` finds its value; undefined counts as unset. @throws SettingsError with all faults. */
export function parseTable<T extends SettingTable>(
  table: T,
  read: (setting: Setting<unknown>) => string | undefined,
): { [K in keyof T]: ReturnType<T[K]['parse']> } {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(table)) {
    try {
      values[key] = setting.parse(read(setting) ?? setting.default)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      problems.push(`${setting.name} must be ${error.message}`)
    }
  }
  if (problems.length > 0) throw new SettingsError(problems)
  return values as { [K in keyof T]: ReturnType<T[K]['parse']> }
}

/** Formats the table as Markdown. */
export function describeTable(table: SettingTable): string {
  const rows = Object.values(table).map(
    ({ name, default: value, meaning }) =>
      `| \`${name}\` | ${value === undefined ? 'none' : `\`${value}\``} | ${meaning} |`,
  )
  return ['| Variable | Default | Means |', '|---|---|---|', ...rows].join('\n')
}

const MINUTE_MS = 60_000

/** Builds a row; `fallback` undefined: the setting has no default. */
export function row<T>(
  name: string,
  fallback: string | undefined,
  meaning: string,
  parse: (value: string | undefined) => T,
  written?: Setting<T>['written'],
): Setting<T> {
  return { name, meaning, parse, ...(fallback !== undefined && { default: fallback }), ...(written && { written }) }
}

/** @throws Fault when the value is missing. */
export function required(value: string | undefined): string {
  if (value === undefined) throw new Fault('given.')
  return value
}

/** Parses a whole number; both limits are inclusive. The parser throws Fault. */
export function integer(least: number, most: number) {
  return (value: string | undefined): number => {
    const number = value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= least && number <= most)) throw new Fault(`a whole number from ${least} to ${most}.`)
    return number
  }
}

/** Parses an ISO 8601 duration to milliseconds; both limits are inclusive. The parser throws Fault. */
export function duration(leastMs: number, mostMs: number) {
  return (value: string | undefined): number => {
    const durationMs = findDurationMs(value ?? '')
    if (durationMs === undefined || durationMs < leastMs || durationMs > mostMs) {
      const [unitMs, unit] = mostMs < MINUTE_MS ? [1000, 'seconds'] : [MINUTE_MS, 'minutes']
      throw new Fault(`an ISO 8601 duration (such as PT1H) from ${leastMs / unitMs} to ${mostMs / unitMs} ${unit}.`)
    }
    return durationMs
  }
}

/** Parses one of several words. The parser throws Fault. */
export function oneOf<T>(words: readonly string[], map: (value: string) => T) {
  return (value: string | undefined): T => {
    if (value === undefined || !words.includes(value)) throw new Fault(`one of ${words.join(', ')}.`)
    return map(value)
  }
}

/**
 * @returns The address without its final slash; undefined unless http or https, without login, query and fragment. Empty
 *   ones count too: the parsed address does not show them.
 */
export function findAddress(value: string): string | undefined {
  const url = URL.canParse(value) && !/[?#@\\]/.test(value) ? new URL(value) : null
  return url !== null && /^https?:$/.test(url.protocol) ? url.href.replace(/\/$/, '') : undefined
}

/** Segments other than `.` and `..`. */
const PLAIN_PATH = /^(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)*\/?$/

/**
 * @returns Whether the path of an address is written as it is used. The parsed address does not tell: it resolves `..`,
 *   also as `%2e%2e`, and leaves out line feeds.
 */
export function hasPlainPath(value: string): boolean {
  return PLAIN_PATH.test(value.trim().replace(/^[a-z]+:\/*[^/]*/i, ''))
}
