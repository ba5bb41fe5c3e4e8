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
  /** True when the field is there as null: kept as written where a null says something to its reader. */
  isNull(key: string): boolean
  fault(key: string, message: string, position?: number): void
  /** Required text of 1 to `max` characters. */
  text(key: string, max: number): string | undefined
  optionalText(key: string, max: number): string | undefined
  /** Text that is a Liquid template. */
  template(key: string, kind: OutputKind): string | undefined
  /** Text that is a CEL condition; `knowsAwaited` where a waitFor stands before it. */
  condition(key: string, knowsAwaited: boolean): string | undefined
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
  const place = createPlace(record, path, faults)
  return { ...place, ...createTextReads(place), ...createShapeReads(place, faults) }
}

type Place = Pick<Reader, 'path' | 'has' | 'raw' | 'isNull' | 'fault' | 'keys'>
type TextReads = Pick<Reader, 'text' | 'optionalText' | 'template' | 'condition' | 'duration'>
type ShapeReads = Pick<Reader, 'oneOf' | 'objects' | 'object'>

function createPlace(record: Record<string, unknown>, path: string, faults: ErrorDetail[]): Place {
  const raw = (key: string): unknown => (Object.hasOwn(record, key) ? (record[key] ?? undefined) : undefined)
  return {
    path,
    raw,
    has: (key) => raw(key) !== undefined,
    isNull: (key) => Object.hasOwn(record, key) && record[key] === null,
    keys: () => Object.keys(record),
    fault(key, message, position) {
      if (faults.length >= MAX_FAULTS) return
      const detail = { path: pathOf(path, key), message }
      faults.push(position === undefined ? detail : { ...detail, position })
    },
  }
}

function pathOf(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function createTextReads(place: Place): TextReads {
  const string = (key: string): string | undefined => {
    const value = place.raw(key)
    if (value === undefined || typeof value === 'string') return value
    place.fault(key, 'This must be a string.')
    return undefined
  }
  const optionalText = (key: string, max: number): string | undefined => {
    const text = string(key)
    if (text === undefined || (text.trim() !== '' && text.length <= max)) return text
    place.fault(key, text.trim() === '' ? 'This must not be empty.' : `At most ${max} characters.`)
    return undefined
  }
  /** The text, after its fault was reported if it has one. */
  const checked = (key: string, findFault: (source: string) => ExpressionFault | undefined): string | undefined => {
    const source = string(key)
    const fault = source === undefined ? undefined : findFault(source)
    if (fault !== undefined) place.fault(key, fault.message, fault.position)
    return source
  }
  return {
    optionalText,
    text(key, max) {
      if (!place.has(key)) place.fault(key, 'This is missing.')
      return optionalText(key, max)
    },
    template: (key, kind) => checked(key, (source) => faultOf(compileTemplate(source, kind))),
    condition: (key, knowsAwaited) => checked(key, (source) => faultOf(compileCondition(source, { knowsAwaited }))),
    duration: (key) => checked(key, findDurationFault),
  }
}

interface ExpressionFault {
  message: string
  position?: number
}

function faultOf(compiled: { fault: ExpressionFault } | object): ExpressionFault | undefined {
  return 'fault' in compiled ? compiled.fault : undefined
}

function findDurationFault(text: string): ExpressionFault | undefined {
  const durationMs = findDurationMs(text)
  if (durationMs !== undefined && durationMs > 0 && durationMs <= TEN_YEARS_MS) return undefined
  return { message: 'This must be an ISO 8601 duration above zero and of at most ten years, such as PT10M or P30D.' }
}

function createShapeReads(place: Place, faults: ErrorDetail[]): ShapeReads {
  const child = (key: string, value: unknown): Reader[] => {
    if (isRecord(value)) return [createReader(value, pathOf(place.path, key), faults)]
    place.fault(key, 'This must be an object.')
    return []
  }
  return {
    oneOf(key, words) {
      const value = place.raw(key)
      if (value === undefined) return undefined
      const word = words.find((known) => known === value)
      if (word === undefined) place.fault(key, `This must be one of ${words.join(', ')}.`)
      return word
    },
    objects(key, max) {
      const value = place.raw(key)
      if (value === undefined) return undefined
      if (!Array.isArray(value)) {
        place.fault(key, 'This must be a list.')
        return undefined
      }
      if (value.length > max) place.fault(key, `At most ${max} items.`)
      return value.slice(0, max).flatMap((item: unknown, index) => child(`${key}[${index}]`, item))
    },
    object(key) {
      const value = place.raw(key)
      return value === undefined ? undefined : child(key, value)[0]
    },
  }
}
