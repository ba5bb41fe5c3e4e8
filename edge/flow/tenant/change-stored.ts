// Changes stored rows that other callers may change at the same moment, on any node or by the command line.

import { IdTaken } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'

/** Attempts before the caller gets a conflict. */
const MAX_ATTEMPTS = 20

/**
 * Reads, decides and saves again until no other change came in between, so that changes take effect one after another.
 * @param round One attempt, beginning with the read or a new id; returns undefined when the row was changed meanwhile.
 * @throws `request/conflict` when every attempt met another change, and the errors of `round`.
 */
export async function changeStored<T>(noun: string, round: () => Promise<T | undefined>): Promise<T> {
  for (let count = 0; count < MAX_ATTEMPTS; count++) {
    const done = await round().catch(ignoreIdTaken)
    if (done !== undefined) return done
  }
  throw new ApiError('request/conflict', { message: `The ${noun} was changed meanwhile. Read it and try again.` })
}

function ignoreIdTaken(error: unknown): undefined {
  if (!(error instanceof IdTaken)) throw error
}
