// Makes the properties of a platform's event fit for the store and for templates, as bodies of the API are.

import { LIMITS } from '../../../contract/limits.ts'
import { guardJson } from '../../lib/json-guard.ts'

export interface SafeProperties {
  properties: Record<string, unknown>
  /** What had to be changed, in one line; null: nothing. */
  reason: string | null
}

/** Levels below the properties themselves. */
const LEVELS = LIMITS.nestingLevels

/** Drops prototype keys. A platform's event is never refused: what the API would refuse is cut. */
export function makeSafe(properties: Record<string, unknown>): SafeProperties {
  const fault = guardJson(properties)
  if (fault === undefined) return { properties, reason: null }
  const cut = cutRecord(properties, 1)
  return {
    properties: cut,
    reason: `Values that no event can have were cut (${cutText(fault.path)}: ${fault.message})`,
  }
}

function cutRecord(record: object, level: number): Record<string, unknown> {
  const entries = Object.entries(record).map(([key, value]) => [cutText(key), cutValue(value, level + 1)] as const)
  return Object.fromEntries(entries.filter(([key]) => key !== '__proto__'))
}

function cutValue(value: unknown, level: number): unknown {
  if (typeof value === 'string') return cutText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (level > LEVELS) return null
  return Array.isArray(value) ? value.map((one: unknown) => cutValue(one, level + 1)) : cutRecord(value, level)
}

/** No character has more than three bytes for each of its units. */
const MAX_UNITS = Math.floor(LIMITS.stringBytes / 3)

function cutText(text: string): string {
  const short = Buffer.byteLength(text) > LIMITS.stringBytes ? text.slice(0, MAX_UNITS) : text
  return short.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd')
}
