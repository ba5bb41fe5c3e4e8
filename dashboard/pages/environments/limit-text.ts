// Formats a limit of calls a minute as its field has it, and parses it.

import { InvalidInput } from '../../lib/invalid-input.ts'

const OFF = 'off'

/** @returns The words of a limit as the field has them. */
export const limitText = (limit: number | null | undefined): string =>
  limit === undefined ? '' : limit === null ? OFF : String(limit)

/** @returns Undefined for an empty field. @throws InvalidInput for a text that is neither a number from 1 nor "off" */
export function parseLimit(text: string, label: string): number | null | undefined {
  if (text === '') return undefined
  if (text.toLowerCase() === OFF) return null
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidInput(`${label}: enter a whole number from 1, or “off”.`)
  return Number(text)
}
