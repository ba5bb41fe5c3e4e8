// Makes reproducible random choices for fuzzing.

import { createRandom as createRandomChoices } from '../../../lib/random.ts'

export interface Random {
  /** @returns a whole number from 0 to `below` - 1 */
  below(below: number): number
  /** @returns true once in `times` */
  once(times: number): boolean
  pick<T>(list: readonly T[]): T
  /** @returns what `make` makes, `count` times */
  many<T>(count: number, make: () => T): T[]
}

/** Each seed of 32 bits gives its own sequence. */
export function createRandom(seed: number): Random {
  const { next, pick } = createRandomChoices(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    once: (times) => below(times) === 0,
    pick,
    many: (count, make) => Array.from({ length: count }, make),
  }
}
