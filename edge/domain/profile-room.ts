// Counts the large profiles that work of one kind has in memory together, beside what each piece of it may read.

import { LARGE_TOGETHER_BYTES, type MayRead, upToTogether } from './user.ts'

export interface ProfileRoom {
  /** Calls `use`; what it lets be read counts until that has ended. */
  hold<T>(use: (mayRead: MayRead) => Promise<T>): Promise<T>
  /** Resolves when others have ended; at once when none has anything. */
  whenFree(): Promise<void>
}

/** @param most Bytes. `first`: each piece of work may read one profile in any case, so that it goes on. */
export function createProfileRoom(most: number, first?: 'first'): ProfileRoom {
  let held = 0
  let waiting: (() => void)[] = []
  return {
    async hold(use) {
      const fits = upToTogether()
      let own = 0
      const mayRead: MayRead = (bytes) => {
        const others = first === 'first' ? own : held
        if ((others > 0 && held + bytes > most) || !fits(bytes)) return false
        held += bytes
        own += bytes
        return true
      }
      try {
        return await use(mayRead)
      } finally {
        held -= own
        if (own > 0) {
          for (const resume of waiting) resume()
          waiting = []
        }
      }
    },
    async whenFree() {
      if (held > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

/** Of all requests, of all fan-outs: beside each other, and beside waits. */
export const HELD_BYTES = 2 * LARGE_TOGETHER_BYTES
