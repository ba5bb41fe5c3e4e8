// Parses the instants of flags.

import { findInstant } from '../../contract/instant.ts'
import { UsageError } from './command.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const UNIX_TIME = /^\d+$/

/**
 * @param ofDay What is added to a day alone.
 * @returns Epoch ms.
 * @throws UsageError
 */
export function parseInstant(name: string, text: string, ofDay: string): number {
  const at = findInstant(DAY.test(text) ? text + ofDay : UNIX_TIME.test(text) ? Number(text) : text)
  if (at === undefined) {
    throw new UsageError(
      `--${name} must be a day or an instant with its offset, such as 2026-01-31 or 2026-01-31T12:00:00Z.`,
    )
  }
  return at
}
