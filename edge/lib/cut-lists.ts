// Cuts lists and records that are too long before a schema reads them: it would check each of a million items, of which
// the first hundred faults are told.

import { ZodArray, ZodObject, ZodPipe, ZodRecord, ZodType } from 'zod'

/**
 * Only lists with `max`, and records with `maxProperties` in their `meta`, are cut: behind the first item too many, so that
 * the schema refuses them. What stands in a union stays as it is.
 * @returns the value itself where nothing is cut
 */
export function cutLists(schema: unknown, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  // Optional fields, those that may be null, and those with a default.
  if (schema instanceof ZodType && 'innerType' in schema.def) return cutLists(schema.def.innerType, value)
  if (schema instanceof ZodPipe) return cutLists(schema.def.in, value)
  if (schema instanceof ZodArray) return Array.isArray(value) ? cutList(schema, value) : value
  if (Array.isArray(value)) return value
  if (schema instanceof ZodRecord) return cutRecord(schema, value as Fields)
  if (schema instanceof ZodObject) return cutFields(Object.entries(schema.shape), value as Fields)
  return value
}

type Fields = Record<string, unknown>

function cutList(schema: ZodArray, list: unknown[]): unknown[] {
  const max = Number(schema._zod.bag.maximum ?? Number.POSITIVE_INFINITY)
  const kept = list.length > max ? list.slice(0, max + 1) : list
  const items = kept.map((item) => cutLists(schema.def.element, item))
  return items.some((item, index) => item !== kept[index]) ? items : kept
}

function cutRecord(schema: ZodRecord, record: Fields): Fields {
  const max = Number(schema.meta()?.maxProperties ?? Number.POSITIVE_INFINITY)
  const names = Object.keys(record)
  const kept =
    names.length > max ? Object.fromEntries(names.slice(0, max + 1).map((name) => [name, record[name]])) : record
  return cutFields(
    Object.keys(kept).map((name) => [name, schema.def.valueType]),
    kept,
  )
}

function cutFields(fields: [name: string, schema: unknown][], value: Fields): Fields {
  let kept = value
  for (const [name, schema] of fields) {
    const field = Object.hasOwn(value, name) ? cutLists(schema, value[name]) : undefined
    if (field !== undefined && field !== value[name]) kept = { ...kept, [name]: field }
  }
  return kept
}
