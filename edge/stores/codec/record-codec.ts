// Packs and unpacks objects with known fields as values of a flat list, without their names.

/** Values in the order in which they are unpacked. */
export type Values = unknown[]

/** Makes an object from the values that begin at `at`, in the order of its fields. */
export type Unpack<T> = (values: Values, at: number) => Record<keyof T, unknown>

export interface RecordCodec<T> {
  /** The number of values of an object. */
  size: number
  pack(values: Values, record: T): void
  /** Returns the object whose values begin at `at`. */
  unpack(values: Values, at: number): T
}

/**
 * Creates a codec for the fields that `unpack` returns.
 * @param unpack Must return an object literal: an object that is filled by names takes four times as long.
 */
export function createRecordCodec<T extends object>(unpack: Unpack<T>): RecordCodec<T> {
  const fields = Object.keys(unpack([], 0)) as (keyof T & string)[]
  return {
    size: fields.length,
    pack(values, record) {
      const start = values.length
      let index = 0
      // Twice as fast as reading by names; most records have their fields in this order.
      for (const field in record) {
        if (field !== fields[index++]) break
        values.push(record[field])
      }
      if (values.length === start + fields.length) return
      values.length = start
      for (const field of fields) values.push(record[field])
    },
    unpack: (values, at) => unpack(values, at) as T,
  }
}
