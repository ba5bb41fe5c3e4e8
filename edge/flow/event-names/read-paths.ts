// Reads the paths of an event's properties with their types, bounded whatever the event is.

import { PATHS_KEPT } from '../../domain/event-names.ts'
import { isValueKey, pathOfAnyKey, pathOfItems, pathOfKey } from '../../domain/tracking/property-path.ts'

/** A bit for each type, in the order of `PROPERTY_TYPES`. */
export type TypeMask = number

export interface ReadPaths {
  paths: Map<string, TypeMask>
  /** Whether some were left out. */
  isCut: boolean
  /** How many values were looked at. */
  values: number
}

/** Of an event whose users are not known. */
export const NOBODY: ReadonlySet<string> = new Set()

const MAX_DEPTH = 8
const MAX_PATH_CHARS = 200
const READ_ITEMS = 5
/** Values of one event that are looked at: it takes a third of a millisecond. */
const MOST_VALUES = 1000

/** A value of an event. */
export interface Inner {
  path: string
  /** Its key; of an item that of the list. */
  name: string
  value: unknown
  /** What contains it; null at the root. */
  outer: Inner | null
}

/**
 * Visits the values of an event with their paths: the upper levels first, so that they are whole when there are too many.
 * @param userIds of the event: a key that is one of them is a value, which goes with its user.
 * @returns Whether some were left out, and how many were looked at.
 */
export function visitPaths(
  properties: object,
  userIds: ReadonlySet<string>,
  visit: (inner: Inner) => void,
): Omit<ReadPaths, 'paths'> {
  let isCut = false
  let values = 0
  let level: Inner[] = [{ path: '', name: '', value: properties, outer: null }]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) return { isCut: true, values }
    const next: Inner[] = []
    for (const outer of level) {
      for (const inner of innerOf(outer, userIds)) {
        if (++values > MOST_VALUES) return { isCut: true, values }
        if (inner.path.length > MAX_PATH_CHARS) {
          isCut = true
          continue
        }
        visit(inner)
        if (typeof inner.value === 'object' && inner.value !== null) next.push(inner)
      }
    }
    level = next
  }
  return { isCut, values }
}

function* innerOf(outer: Inner, userIds: ReadonlySet<string>): Generator<Inner> {
  const { path, name, value } = outer
  if (Array.isArray(value)) {
    for (const item of value.slice(0, READ_ITEMS)) yield { path: pathOfItems(path), name, value: item, outer }
    return
  }
  const fields = value as Record<string, unknown>
  // Not by `Object.entries`: it reads all fields of an object with thousands of them.
  for (const key in fields) {
    const isValue = userIds.has(key) || isValueKey(key)
    yield { path: isValue ? pathOfAnyKey(path) : pathOfKey(path, key), name: key, value: fields[key], outer }
  }
}

export function readPaths(properties: object, userIds: ReadonlySet<string> = NOBODY): ReadPaths {
  const paths = new Map<string, TypeMask>()
  let isFull = false
  const { isCut, values } = visitPaths(properties, userIds, ({ path, value }) => {
    const before = paths.get(path)
    if (before === undefined && paths.size >= PATHS_KEPT) isFull = true
    else paths.set(path, (before ?? 0) | maskOf(value))
  })
  return { paths, isCut: isCut || isFull, values }
}

function maskOf(value: unknown): TypeMask {
  if (typeof value === 'string') return 1
  if (typeof value === 'number') return 2
  if (typeof value === 'boolean') return 4
  if (value === null || value === undefined) return 8
  return Array.isArray(value) ? 32 : 16
}
