// Parses ISO 8601 durations. A year has 365 days and a month 30: they are time spans, not calendar dates.

/** The last part may have a fraction, in any unit; other languages write seconds with up to nine fraction digits. */
const SHAPE =
  /^P(?!$)(?:([\d.,]+)Y)?(?:([\d.,]+)M)?(?:([\d.,]+)W)?(?:([\d.,]+)D)?(?:T(?=\d)(?:([\d.,]+)H)?(?:([\d.,]+)M)?(?:([\d.,]+)S)?)?$/
const WHOLE = /^\d{1,9}$/
const FRACTION = /^\d{1,9}(?:[.,]\d{1,9})?$/

const DAY_MS = 24 * 60 * 60 * 1000
const UNITS_MS = [365 * DAY_MS, 30 * DAY_MS, 7 * DAY_MS, DAY_MS, 60 * 60 * 1000, 60 * 1000, 1000]

/** @returns Milliseconds of a duration such as `PT10M` or `P30D`, rounded; undefined when the text is no duration. */
export function findDurationMs(text: string): number | undefined {
  const parts = SHAPE.exec(text)?.slice(1)
  const last = parts?.findLastIndex((part) => part !== undefined)
  if (parts === undefined || last === undefined) return undefined
  if (!parts.every((part, at) => part === undefined || (at === last ? FRACTION : WHOLE).test(part))) return undefined
  const durationMs = parts.reduce(
    (sum, part, at) => sum + Number(part?.replace(',', '.') ?? 0) * (UNITS_MS[at] as number),
    0,
  )
  return Number.isSafeInteger(Math.round(durationMs)) ? Math.round(durationMs) : undefined
}
