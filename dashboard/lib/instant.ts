// Converts between the instants of addresses and the API, and the local times of fields.

/**
 * @param text An instant, or a local time, as fields have it. In an address, the plus of an offset reads as a space.
 * @returns undefined for a text that is no time.
 */
export function toInstant(text: string | undefined): string | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text.replace(/(T\S+) (\d\d:?\d\d)$/, '$1+$2'))
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** @returns The value of a `datetime-local` field, to the minute, or to the second where it has some. */
export function toLocal(instant: string): string {
  const at = new Date(instant)
  const digits = (value: number) => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${digits(at.getMonth() + 1)}-${digits(at.getDate())}`
  const time = `${digits(at.getHours())}:${digits(at.getMinutes())}`
  return `${day}T${time}${at.getSeconds() === 0 ? '' : `:${digits(at.getSeconds())}`}`
}
