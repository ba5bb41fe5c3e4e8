// Counts the large profiles that requests have in memory together.

import { LARGE_TOGETHER_BYTES, type MayRead, upToTogether } from '../../domain/user.ts'

/** Of all requests: beside them jobs and waits hold some. */
const MAX_BYTES = 4 * LARGE_TOGETHER_BYTES

/** @returns A function that calls `use`; what it lets be read counts until that has ended. */
export function createProfileRoom(): <T>(use: (mayRead: MayRead) => Promise<T>) => Promise<T> {
  let held = 0
  return async (use) => {
    const fits = upToTogether()
    let own = 0
    const mayRead: MayRead = (bytes) => {
      if ((held > 0 && held + bytes > MAX_BYTES) || !fits(bytes)) return false
      held += bytes
      own += bytes
      return true
    }
    try {
      return await use(mayRead)
    } finally {
      held -= own
    }
  }
}
