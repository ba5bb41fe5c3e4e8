// Reads a JSON object field by field and collects every fault with its path.

import type { ErrorDetail } from '../../contract/errors.ts'

/** Limits the faults in one answer. */
const MAX_FAULTS = 100
/** The fault of a field that would vanish. */
export const UNKNOWN_FIELD = 'There is no such field here.'

/** Reads one object. Each method returns undefined for an absent or faulty field. */
export interface Reader {
  /** Path of the object, such as `steps[2]`; empty at the top. */
  path: string
  /** True when the field is present and not null. */
  has(key: string): boolean
  raw(key: string): unknown
  /** True when the field is null, where null has a meaning of its own. */
  isNull(key: string): boolean
  fault(key: string, message: string, position?: number): void
  /** Required text of 1 to `max` characters. */
  text(key: string, max: number): string | undefined
  optionalText(key: string, max: number): string | undefined
  oneOf<T extends string>(key: string, words: readonly T[]): T | undefined
  /** Returns the objects of a list; other items are reported and omitted. */
  objects(key: string, max: number): Reader[] | undefined
  /** Returns a reader of an inner object; undefined when it is absent or of another type. */
  object(key: string): Reader | undefined
  keys(): string[]
  /** Reports the fields that nobody has asked for, in this object and in its inner ones. */
  refuseUnread(): void
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Creates a reader of `record` that appends its faults to `faults`. */
export function createReader(record: Record<string, unknown>, path: string, faults: ErrorDetail[]): Reader {
  const inner: Reader[] = []
  const access = createFieldAccess(record, path, faults)
  return {
    ...access,
    ...createTextReads(access),
    ...createShapeReads(access, faults, inner),
    refuseUnread() {
      access.refuseUnread()
      for (const reader of inner) reader.refuseUnread()
    },
  }
}

type FieldAccess = Pick<Reader, 'path' | 'has' | 'raw' | 'isNull' | 'fault' | 'keys' | 'refuseUnread'>
type TextReads = Pick<Reader, 'text' | 'optionalText'>
type ShapeReads = Pick<Reader, 'oneOf' | 'objects' | 'object'>

function createFieldAccess(record: Record<string, unknown>, path: string, faults: ErrorDetail[]): FieldAccess {
  const read = new Set<string>()
  const raw = (key: string): unknown => {
    read.add(key)
    return Object.hasOwn(record, key) ? (record[key] ?? undefined) : undefined
  }
  const fault: Reader['fault'] = (key, message, position) => {
    if (faults.length >= MAX_FAULTS) return
    const detail = { path: pathOf(path, key), message }
    faults.push(position === undefined ? detail : { ...detail, position })
  }
  return {
    path,
    raw,
    fault,
    has: (key) => raw(key) !== undefined,
    isNull: (key) => raw(key) === undefined && Object.hasOwn(record, key) && record[key] === null,
    keys() {
      const keys = Object.keys(record)
      for (const key of keys) read.add(key)
      return keys
    },
    refuseUnread() {
      for (const key of Object.keys(record)) if (!read.has(key)) fault(key, UNKNOWN_FIELD)
    },
  }
}

function pathOf(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function createTextReads(access: FieldAccess): TextReads {
  const string = (key: string): string | undefined => {
    const value = access.raw(key)
    if (value === undefined || typeof value === 'string') return value
    access.fault(key, 'This must be a string.')
    return undefined
  }
  const optionalText = (key: string, max: number): string | undefined => {
    const text = string(key)
    if (text === undefined || (text.trim() !== '' && text.length <= max)) return text
    access.fault(key, text.trim() === '' ? 'This must not be empty.' : `At most ${max} characters.`)
    return undefined
  }
  return {
    optionalText,
    text(key, max) {
      if (!access.has(key)) access.fault(key, 'This is missing.')
      return optionalText(key, max)
    },
  }
}

function createShapeReads(access: FieldAccess, faults: ErrorDetail[], inner: Reader[]): ShapeReads {
  const child = (key: string, value: unknown): Reader[] => {
    if (isRecord(value)) {
      const reader = createReader(value, pathOf(access.path, key), faults)
      inner.push(reader)
      return [reader]
    }
    access.fault(key, 'This must be an object.')
    return []
  }
  return {
    oneOf(key, words) {
      const value = access.raw(key)
      if (value === undefined) return undefined
      const word = words.find((known) => known === value)
      if (word === undefined) access.fault(key, `This must be one of ${words.join(', ')}.`)
      return word
    },
    objects(key, max) {
      const value = access.raw(key)
      if (value === undefined) return undefined
      if (!Array.isArray(value)) {
        access.fault(key, 'This must be a list.')
        return undefined
      }
      if (value.length > max) access.fault(key, `At most ${max} items.`)
      return value.slice(0, max).flatMap((item: unknown, index) => child(`${key}[${index}]`, item))
    },
    object(key) {
      const value = access.raw(key)
      return value === undefined ? undefined : child(key, value)[0]
    },
  }
}
