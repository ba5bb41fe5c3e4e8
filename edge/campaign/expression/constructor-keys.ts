// Replaces objects that have a key `constructor` by maps: the library of conditions takes the type of an object from there.

import { charge } from './budget.ts'

/**
 * Charges a unit for each value.
 * @returns A copy where an object was replaced, else the value itself
 */
export function withMaps<T>(value: T): T {
  charge(1)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(withMaps)
    return items.some((item, at) => item !== value[at]) ? (items as T) : value
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, withMaps(inner)] as const)
  if (Object.hasOwn(value, 'constructor')) return new Map(entries) as T
  const isChanged = entries.some(([key, inner]) => inner !== (value as Record<string, unknown>)[key])
  return isChanged ? (Object.fromEntries(entries) as T) : value
}
