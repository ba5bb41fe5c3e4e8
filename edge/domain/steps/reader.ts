// Reads a campaign definition field by field and collects every fault with its path (contract section 6, `campaign/invalid-definition`).

import type { ErrorDetail } from '../../../contract/errors.ts'
import { findDurationMs } from '../../lib/duration.ts'
import { compileCondition } from '../expression/condition.ts'
import { compileTemplate, type OutputKind } from '../expression/template.ts'

/** No answer lists more faults than this. */
const MAX_FAULTS = 100

/** One object of the definition. Each method answers undefined where the field is absent or at fault. */
export interface Reader {
  /** Path of the object itself, such as `steps[2]`; empty at the top. */
  path: string
  /** True when the field is there and not null. */
  has(key: string): boolean
  raw(key: string): unknown
  fault(key: string, message: string, position?: number): void
  /** Required text of 1 to `max` characters. */
  text(key: string, max: number): string | undefined
  optionalText(key: string, max: number): string | undefined
  /** Text that is a Liquid template. */
  template(key: string, kind: OutputKind): string | undefined
  /** Text that is a CEL condition. */
  condition(key: string): string | undefined
  /** An ISO 8601 duration above zero. */
  duration(key: string): string | undefined
  oneOf<T extends string>(key: string, words: readonly T[]): T | undefined
  /** The items of a list, each an object; faults of shape are reported and left out. */
  objects(key: string, max: number): Reader[] | undefined
  /** An object below; undefined when absent or of another type. */
  object(key: string): Reader | undefined
  keys(): string[]
}

const TEN_YEARS_MS = 10 * 365 * 24 * 60 * 60 * 1000

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A reader of `record`; faults are appended to `faults`. */
export function createReader(record: Record<string, unknown>, path: string, faults: ErrorDetail[]): Reader {
  const at = (key: string) => (path === '' ? key : `${path}.${key}`)
  const addFault = (place: string, message: string, position?: number) => {
    if (faults.length < MAX_FAULTS)
      faults.push(position === undefined ? { path: place, message } : { path: place, message, position })
  }
  const raw = (key: string): unknown => (Object.hasOwn(record, key) ? (record[key] ?? undefined) : undefined)
  const string = (key: string): string | undefined => {
    const value = raw(key)
    if (value === undefined || typeof value === 'string') return value
    addFault(at(key), 'This must be a string.')
    return undefined
  }
  const bounded = (key: string, text: string, max: number): string | undefined => {
    if (text.trim() !== '' && text.length <= max) return text
    addFault(at(key), text.trim() === '' ? 'This must not be empty.' : `At most ${max} characters.`)
    return undefined
  }
  return {
    path,
    raw,
    has: (key) => raw(key) !== undefined,
    fault: (key, message, position) => addFault(at(key), message, position),
    keys: () => Object.keys(record),
    text(key, max) {
      if (raw(key) === undefined) addFault(at(key), 'This is missing.')
      const text = string(key)
      return text === undefined ? undefined : bounded(key, text, max)
    },
    optionalText(key, max) {
      const text = string(key)
      return text === undefined ? undefined : bounded(key, text, max)
    },
    template(key, kind) {
      const source = string(key)
      if (source === undefined) return undefined
      const compiled = compileTemplate(source, kind)
      if ('fault' in compiled) addFault(at(key), compiled.fault.message, compiled.fault.position)
      return source
    },
    condition(key) {
      const source = string(key)
      if (source === undefined) return undefined
      const compiled = compileCondition(source)
      if ('fault' in compiled) addFault(at(key), compiled.fault.message, compiled.fault.position)
      return source
    },
    duration(key) {
      const text = string(key)
      if (text === undefined) return undefined
      const durationMs = findDurationMs(text)
      if (durationMs !== undefined && durationMs > 0 && durationMs <= TEN_YEARS_MS) return text
      addFault(at(key), 'This must be an ISO 8601 duration above zero and of at most ten years, such as PT10M or P30D.')
      return undefined
    },
    oneOf(key, words) {
      const value = raw(key)
      if (value === undefined) return undefined
      const word = words.find((known) => known === value)
      if (word === undefined) addFault(at(key), `This must be one of ${words.join(', ')}.`)
      return word
    },
    objects(key, max) {
      const value = raw(key)
      if (value === undefined) return undefined
      if (!Array.isArray(value)) {
        addFault(at(key), 'This must be a list.')
        return undefined
      }
      if (value.length > max) addFault(at(key), `At most ${max} items.`)
      return value.slice(0, max).flatMap((item: unknown, index) => {
        const place = `${at(key)}[${index}]`
        if (isRecord(item)) return [createReader(item, place, faults)]
        addFault(place, 'This must be an object.')
        return []
      })
    },
    object(key) {
      const value = raw(key)
      if (value === undefined) return undefined
      if (isRecord(value)) return createReader(value, at(key), faults)
      addFault(at(key), 'This must be an object.')
      return undefined
    },
  }
}
