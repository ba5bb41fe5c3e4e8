// Makes repeatable random choices: the same seed gives the same ones.

export interface Random {
  /** @returns A number from 0 to below 1. */
  next(): number
  /** @returns Whether something of this probability (0 to 1) happens. */
  chance(probability: number): boolean
  /** @returns An integer from `least` to `most`, both included. */
  between(least: number, most: number): number
  pick<T>(list: readonly T[]): T
}

/** @param seed A positive integer. */
export function createRandom(seed: number): Random {
  // The low and the high half of an id both count.
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0
  /** The generator mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    chance: (probability) => next() < probability,
    between,
    pick: <T>(list: readonly T[]) => list[between(0, list.length - 1)] as T,
  }
}
