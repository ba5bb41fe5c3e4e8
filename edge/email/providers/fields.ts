// Reads fields of JSON that another party wrote: any value may have any type.

export type Fields = Record<string, unknown>

/** @returns the object; undefined for text that is no JSON object */
export function parseFields(text: string): Fields | undefined {
  return toFields(parseJson(text))
}

/** @returns undefined for text that is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function toFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** @returns an own field that is an object */
export function fieldsAt(fields: Fields | undefined, name: string): Fields | undefined {
  return toFields(valueAt(fields, name))
}

/** @returns an own field; a name such as `constructor` finds no inherited one */
export function valueAt(fields: Fields | undefined, name: string): unknown {
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** @returns a text or number as text; null for anything else, and for an empty text */
export function textAt(fields: Fields | undefined, name: string): string | null {
  return toText(valueAt(fields, name))
}

export function toText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** @returns the items of an own field that is a list; empty for anything else */
export function listAt(fields: Fields | undefined, name: string): unknown[] {
  const value = valueAt(fields, name)
  return Array.isArray(value) ? value : []
}
