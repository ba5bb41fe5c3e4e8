// The free object `data` of a message: JSON whose strings are templates, bounded in depth and size (contract section 6).

import { compileTemplate } from '../expression/template.ts'
import type { Json } from '../json.ts'
import { isRecord, type Reader } from './reader.ts'

const MAX_DEPTH = 8
const MAX_VALUES = 500

/** A copy of the object; faults name the value (`data.a[0].b`). */
export function readData(reader: Reader): Record<string, Json> {
  let values = 0
  const copy = (value: unknown, path: string, depth: number): Json => {
    if (++values === MAX_VALUES + 1) reader.fault(path, `data holds at most ${MAX_VALUES} values.`)
    if (values > MAX_VALUES) return null
    if (depth > MAX_DEPTH) {
      reader.fault(path, `data nests at most ${MAX_DEPTH} levels deep.`)
      return null
    }
    if (typeof value === 'string') return checkTemplate(reader, value, path)
    if (Array.isArray(value)) return value.map((item: unknown, index) => copy(item, `${path}[${index}]`, depth + 1))
    if (isRecord(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, copy(item, `${path}.${key}`, depth + 1)]),
      )
    }
    return typeof value === 'number' || typeof value === 'boolean' ? value : null
  }
  return Object.fromEntries(reader.keys().map((key) => [key, copy(reader.raw(key) ?? null, key, 1)]))
}

function checkTemplate(reader: Reader, source: string, path: string): string {
  const compiled = compileTemplate(source, 'text')
  if ('fault' in compiled) reader.fault(path, compiled.fault.message, compiled.fault.position)
  return source
}
