// Reads and writes ISO 8601 durations as an amount of one unit.

export const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks'] as const
export type Unit = (typeof UNITS)[number]

export interface Amount {
  amount: number
  unit: Unit
}

const LETTERS: Readonly<Record<Unit, string>> = { seconds: 'S', minutes: 'M', hours: 'H', days: 'D', weeks: 'W' }
const SINGLE =
  /^P(?:(?<weeks>\d{1,6})W|(?<days>\d{1,6})D|T(?:(?<hours>\d{1,6})H|(?<minutes>\d{1,6})M|(?<seconds>\d{1,6})S))$/

/** @returns undefined for a duration of several units or with a fraction, and for another text */
export function readAmount(duration: string): Amount | undefined {
  const found = Object.entries(SINGLE.exec(duration)?.groups ?? {}).find(([, digits]) => digits !== undefined)
  return found && { amount: Number(found[1]), unit: found[0] as Unit }
}

/** @returns such as `PT10M`; of an amount that is no whole number, a text that is no duration */
export function printAmount({ amount, unit }: Amount): string {
  return `P${unit === 'days' || unit === 'weeks' ? '' : 'T'}${amount}${LETTERS[unit]}`
}
