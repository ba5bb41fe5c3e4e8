// Writes JSON in a canonical form: the same text for all spellings of the same value.

import { createHash } from 'node:crypto'

/** @returns JSON text with sorted keys; absent (`undefined`) members are left out; `-0` is `0`, as in JSON itself. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members: string[] = []
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key]
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`)
  }
  return `{${members.join(',')}}`
}

/** Lower-case hex SHA-256 of the canonical text. */
export function hashByValue(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
