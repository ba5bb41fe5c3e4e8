// Bounds what calls of enricher endpoints hold in memory while they last: by environment, and in all.

/** Events, states and profiles of the calls of one environment. */
const OF_ENVIRONMENT_CHARS = 1024 * 1024
/** The same of all environments, for calls that are not small: small ones have room beside large ones of others. */
const IN_ALL_CHARS = 2 * 1024 * 1024
const SMALL_CHARS = 16 * 1024

export interface CallRoom {
  /** Counts a call until `end`. `isTooMuch`: it must be put off, as others have the room. */
  enter(environmentId: number, chars: number): { isTooMuch: boolean; end(): void }
}

export function createCallRoom(): CallRoom {
  const held = new Map<number, number>()
  let inAll = 0
  return {
    enter(environmentId, chars) {
      const before = held.get(environmentId) ?? 0
      const isTooMuch =
        (before > 0 && before + chars > OF_ENVIRONMENT_CHARS) ||
        (chars > SMALL_CHARS && inAll > 0 && inAll + chars > IN_ALL_CHARS)
      held.set(environmentId, before + chars)
      inAll += chars
      return {
        isTooMuch,
        end() {
          inAll -= chars
          const left = (held.get(environmentId) ?? 0) - chars
          if (left > 0) held.set(environmentId, left)
          else held.delete(environmentId)
        },
      }
    },
  }
}
