// Makes reproducible random choices from a seed.

export interface Random {
  /** @returns a whole number from 0 to `below` - 1 */
  below(below: number): number
  /** @returns true once in `times` */
  once(times: number): boolean
  pick<T>(list: readonly T[]): T
  /** @returns what `make` makes, `count` times */
  many<T>(count: number, make: () => T): T[]
}

/** Creates the generator mulberry32: each seed of 32 bits gives its own sequence. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    once: (times) => below(times) === 0,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    many: (count, make) => Array.from({ length: count }, make),
  }
}
