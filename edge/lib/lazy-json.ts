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

/** Copies an object with the JSON text of a property in its place, without parsing it where nobody has read it. */
export function withJsonText<T extends object, Name extends keyof T & string>(
  object: T,
  name: Name,
): Omit<T, Name> & Record<Name, string> {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(object)) {
    const get = key === name ? Object.getOwnPropertyDescriptor(object, key)?.get : undefined
    const text = get && texts.get(get)
    if (key !== name) copy[key] = object[key as keyof T]
    else copy[key] = text ?? JSON.stringify(object[name])
  }
  return copy as Omit<T, Name> & Record<Name, string>
}
