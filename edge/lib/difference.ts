// Formats the difference of two JSON values in lines for people: for copies between environments and the audit log.

import { isDeepStrictEqual } from 'node:util'

/** @returns One line per difference: `+` only in `to`, `-` only in `from`, `~` in both. Empty when equal. */
export function differenceOf(from: unknown, to: unknown): string[] {
  const [left, right] = [flatten(from), flatten(to)]
  const paths = [...new Set([...left.keys(), ...right.keys()])]
  return paths.flatMap((path) => {
    const [before, after] = [left.get(path), right.get(path)]
    if (before === after) return []
    if (before === undefined) return [`+ ${path}: ${after}`]
    if (after === undefined) return [`- ${path}: ${before}`]
    return [`~ ${path}: ${before} → ${after}`]
  })
}

/** @returns Whether two values are the same JSON; unlike lines for people, it tells `a.b` from `b` in `a`. */
export function isSameJson(from: unknown, to: unknown): boolean {
  return isDeepStrictEqual(toPlain(from), toPlain(to))
}

const toPlain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null')

function flatten(value: unknown, path = '', into = new Map<string, string>()): Map<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (entries.length === 0) into.set(path, JSON.stringify(value) ?? 'undefined')
  for (const [key, inner] of entries) {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`
    flatten(inner, path + step, into)
  }
  return into
}
