// Delays the parsing of JSON that may be large, and that often nobody reads.

/** Characters of a text that is parsed at once: to delay that costs more. */
const SHORT = 2048

/** The texts of properties that were not read yet, by the functions that parse them. */
const texts = new WeakMap<() => unknown, string>()

/** Adds a property to the object, which is parsed from its JSON text, a long one when it is read first. A copy by `...` reads it. */
export function withLazyJson<T extends object, Name extends string, Value>(
  object: T,
  name: Name,
  text: string,
): T & Record<Name, Value> {
  if (text.length <= SHORT) return Object.assign(object, { [name]: JSON.parse(text) as Value } as Record<Name, Value>)
  const get = () => {
    const value = JSON.parse(text) as Value
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
    return value
  }
  texts.set(get, text)
  Object.defineProperty(object, name, { get, enumerable: true, configurable: true })
  return object as T & Record<Name, Value>
}

/**
 * Adds a property of another object. One that nobody has parsed is parsed when it is read, and not kept: an answer with
 * many of them has one in memory at a time while it is written.
 */
export function passJson<T extends object, Name extends string, Value>(
  object: T,
  name: Name,
  from: Record<Name, Value>,
): T & Record<Name, Value> {
  const text = textOf(from, name)
  const how = text === undefined ? { value: from[name], writable: true } : { get: () => JSON.parse(text) as Value }
  Object.defineProperty(object, name, { ...how, enumerable: true, configurable: true })
  return object as T & Record<Name, Value>
}

/** Returns the JSON text of a property that was not parsed yet. */
function textOf(object: object, name: string): string | undefined {
  const get = Object.getOwnPropertyDescriptor(object, name)?.get
  return get && texts.get(get)
}

/** Copies an object with the JSON text of a property in its place, without parsing it where nobody has read it. */
export function withJsonText<T extends object, Name extends keyof T & string>(
  object: T,
  name: Name,
): Omit<T, Name> & Record<Name, string> {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(object)) {
    copy[key] = key === name ? (textOf(object, name) ?? JSON.stringify(object[name])) : object[key as keyof T]
  }
  return copy as Omit<T, Name> & Record<Name, string>
}
