// Keeps a duration as it is typed: an amount of a unit, or the whole text.

import { printAmount, readAmount, type Unit } from '../../../editor/durations.ts'

export interface TypedDuration {
  /** What is typed before the unit; without a unit the whole duration. */
  amount: string
  unit: Unit | undefined
}

/** @param before Gives the unit of an empty field. */
export function typedOf(duration: string, before: TypedDuration): TypedDuration {
  if (duration === '') return { amount: '', unit: before.unit ?? 'minutes' }
  const read = readAmount(duration)
  return read === undefined ? { amount: duration, unit: undefined } : { amount: String(read.amount), unit: read.unit }
}

/** @returns ISO 8601, empty for no amount; what is no whole number stays as it is, so that the API reports it */
export function writeTyped({ amount, unit }: TypedDuration): string {
  const text = amount.trim()
  return unit === undefined || !/^\d+$/.test(text) ? text : printAmount({ amount: Number(text), unit })
}
