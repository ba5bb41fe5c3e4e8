// Changes of stored rows that others may change at the same moment, on this node, on another or by the command line.

import { IdTaken } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'

/** How often a change may come second before its caller hears of it. */
const ROUNDS = 20

/**
 * Reads, decides and saves until nobody has changed the row in between, so that changes take effect one after another.
 * @param round One try, from the read or the new id on; undefined when the row was changed meanwhile.
 * @throws `request/conflict` when others are always first, and what `round` throws.
 */
export async function changeStored<T>(noun: string, round: () => Promise<T | undefined>): Promise<T> {
  for (let count = 0; count < ROUNDS; count++) {
    const done = await round().catch(passIdTaken)
    if (done !== undefined) return done
  }
  throw new ApiError('request/conflict', { message: `The ${noun} was changed meanwhile. Read it and try again.` })
}

function passIdTaken(error: unknown): undefined {
  if (!(error instanceof IdTaken)) throw error
}
