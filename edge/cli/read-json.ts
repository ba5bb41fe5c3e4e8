// Reads a text or JSON from a file of the operator, or with `-` from standard input; errors name the file.

import { readFileSync } from 'node:fs'
import { parseJson } from '../lib/read-json.ts'

/** @throws Error for the operator when the file cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** @throws Error for the operator when the file cannot be read, or has no JSON object. */
export function readJsonObject(path: string): Record<string, unknown> {
  const value = readJson(path)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Error(`${path} is no JSON object, such as {"name": "x"}.`)
}

/** @throws Error for the operator when the file cannot be read, or is not JSON. */
export function readJson(path: string): unknown {
  const text = readText(path)
  try {
    return parseJson(text)
  } catch (cause) {
    throw new Error(`${path} is no JSON: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
