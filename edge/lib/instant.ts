// Instants as templates and people write them (contract section 1).

import { toIso } from './clock.ts'

/** Of an ISO 8601 text, whose form the caller has checked. Undefined too for a day that its month lacks: Date.parse makes the next month's of it. */
export function findInstant(text: string): number | undefined {
  const at = Date.parse(text)
  const day = text.slice(0, 10)
  return Number.isNaN(at) || toIso(Date.parse(day)).slice(0, 10) !== day ? undefined : at
}
