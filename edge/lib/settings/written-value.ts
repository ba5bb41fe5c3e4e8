// Reads settings as people write them: with quotes, a byte order mark, spaces, or in a file of their own (NAME_FILE).

import { readFileSync } from 'node:fs'
import { Fault } from './setting.ts'

export type Environment = Record<string, string | undefined>

/** Docker's --env-file keeps quotes, and word processors change them. */
const QUOTES = [`""`, `''`, '“”', '„“', '‘’', '«»', '``'] as const
const BEGINS_OR_ENDS = /^["'“„‘«`]|["'”“’»`]$/

/** @returns Names without a byte order mark, which editors write before the first line of a file, and without spaces. */
export function readNames(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name.replace(/^\uFEFF/, '').trim(), value]))
}

/**
 * Takes a byte order mark, spaces around, and a pair of quotes off.
 * @param mayQuote Whether a quote at one end belongs to the value, as that of a name before an address does.
 * @returns Undefined for an empty value, which counts as unset.
 * @throws Fault for a quote at one end.
 */
export function readWritten(given: string | undefined, mayQuote = false): string | undefined {
  const text = (given ?? '').replace(/^\uFEFF/, '').trim()
  const isPair = QUOTES.some(
    ([open = '', close = '']) => text.length > 1 && text.startsWith(open) && text.endsWith(close),
  )
  const bare = isPair ? text.slice(1, -1).trim() : text
  if (!mayQuote && BEGINS_OR_ENDS.test(bare)) throw new Fault('written without a quote at its begin or end.')
  return bare === '' ? undefined : bare
}

/**
 * Reads a secret: its own variable, or the file that `NAME_FILE` names, such as a mounted secret.
 * @throws Fault when both are set, or the file cannot be read.
 */
export function readSecret(env: Environment, name: string): string | undefined {
  const value = readWritten(env[name])
  const path = readWritten(env[`${name}_FILE`])
  if (path === undefined) return value
  if (value !== undefined) throw new Fault(`given once: by ${name} or by ${name}_FILE.`)
  try {
    return readWritten(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof Fault) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no text'
    throw new Fault(`in the file that ${name}_FILE names, which cannot be read (${code}).`)
  }
}
