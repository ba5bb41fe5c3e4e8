// Tests that no generated template or condition ends its process, takes too long, or throws an undocumented error.

import { expect, test } from 'vitest'
import { ENGINES } from './fuzz-engines.ts'
import { runFuzz } from './run-fuzz.ts'

const SECONDS = 10
const seed = Math.floor(Math.random() * 2 ** 32)

test.each(Object.keys(ENGINES) as (keyof typeof ENGINES)[])(
  '%s of a fresh seed and the known attacks are bounded',
  async (engine) => {
    const { runs, faults } = await runFuzz({ engine, seed, seconds: SECONDS })
    expect(faults, `npm run fuzz -- --engine ${engine} --seed ${seed} --seconds ${SECONDS}`).toEqual([])
    expect(runs).toBeGreaterThan(0)
  },
  120_000,
)
