// Cuts lists and records that are too long before a schema reads them: it would check each of a million items, of which
// the first hundred faults are told.

import {
  core,
  ZodArray,
  ZodDiscriminatedUnion,
  ZodLazy,
  ZodLiteral,
  ZodNever,
  ZodObject,
  ZodPipe,
  ZodRecord,
  ZodType,
} from 'zod'

/**
 * Cuts lists with `max`, records with `maxProperties` in their `meta`, and the unknown fields of strict objects: behind
 * the first too many, so that the schema refuses them. In a union it does where a field says which form the value has.
 * @returns the value itself where nothing is cut
 */
export function cutLists(schema: unknown, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  // Optional fields, those that may be null, and those with a default.
  if (schema instanceof ZodType && 'innerType' in schema.def) return cutLists(schema.def.innerType, value)
  if (schema instanceof ZodPipe) return cutLists(schema.def.in, value)
  if (schema instanceof ZodLazy) return cutLists(schema.def.getter(), value)
  if (schema instanceof ZodArray) return Array.isArray(value) ? cutList(schema, value) : value
  if (Array.isArray(value)) return value
  if (schema instanceof ZodRecord) return cutRecord(schema, value as Fields)
  if (schema instanceof ZodObject) return cutFields(Object.entries(schema.shape), cutUnknown(schema, value as Fields))
  if (schema instanceof ZodDiscriminatedUnion) return cutLists(findForm(schema, value as Fields), value)
  return value
}

type Fields = Record<string, unknown>

/** @returns the form that the field names; undefined where none has that name */
function findForm({ def }: ZodDiscriminatedUnion, value: Fields): unknown {
  const { discriminator, options } = def
  const name = Object.hasOwn(value, discriminator) ? value[discriminator] : undefined
  return options.find((form) => {
    const names = form instanceof ZodObject ? form.shape[discriminator] : undefined
    return names instanceof ZodLiteral && [...names.values].includes(name as string)
  })
}

/** More unknown fields than an answer has faults. */
const MAX_UNKNOWN = 101

/** Leaves the first unknown fields of an object that takes none. */
function cutUnknown({ shape, def }: ZodObject, value: Fields): Fields {
  if (!(def.catchall instanceof ZodNever)) return value
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(shape, name))
  if (unknown.length <= MAX_UNKNOWN) return value
  const cut = new Set(unknown.slice(MAX_UNKNOWN))
  return Object.fromEntries(Object.entries(value).filter(([name]) => !cut.has(name)))
}

function cutList(schema: ZodArray, list: unknown[]): unknown[] {
  const bounds = (schema.def.checks ?? []).filter((one) => one instanceof core.$ZodCheckMaxLength)
  const max = Math.min(...bounds.map((one) => one._zod.def.maximum))
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
