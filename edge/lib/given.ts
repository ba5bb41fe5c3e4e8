// Leaves out the fields of an object that are undefined.

export type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** @returns the fields that are not undefined */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
}
