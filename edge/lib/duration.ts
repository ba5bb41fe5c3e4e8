// ISO 8601 durations (contract section 1). A year counts 365 days and a month 30: lengths here are spans, not calendar dates.

const SHAPE =
  /^P(?!$)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})(?:[.,](\d{1,3}))?S)?)?$/

const DAY_MS = 24 * 60 * 60 * 1000
const UNITS_MS = [365 * DAY_MS, 30 * DAY_MS, 7 * DAY_MS, DAY_MS, 60 * 60 * 1000, 60 * 1000, 1000]

/** Milliseconds of a duration such as `PT10M` or `P30D`; undefined when the text is none. */
export function findDurationMs(text: string): number | undefined {
  const match = SHAPE.exec(text)
  if (match === null) return undefined
  const whole = UNITS_MS.reduce((sum, unitMs, index) => sum + Number(match[index + 1] ?? 0) * unitMs, 0)
  const fraction = match[8] ?? ''
  const durationMs = whole + Number(fraction.padEnd(3, '0') || 0)
  return Number.isSafeInteger(durationMs) ? durationMs : undefined
}
