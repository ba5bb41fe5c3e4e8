// Parses the header `Retry-After` of an answer.

/** @returns milliseconds; undefined for anything but seconds or a date. `nowMs`: epoch ms, to convert a date. */
export function parseRetryAfter(header: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
