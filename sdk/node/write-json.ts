// Writes JSON as JSON.stringify does, with bigints as the service keeps large integers.

/** A bigint is a number where a double holds it, and else the text of its digits. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => {
    if (typeof one !== 'bigint') return one
    return Number.isSafeInteger(Number(one)) ? Number(one) : one.toString()
  })
}
