// Tests that no generated template or condition ends its process, takes too long, or throws an undocumented error.

import { expect, test } from 'vitest'
import { ENGINES } from './fuzz-engines.ts'
import { runFuzz } from './run-fuzz.ts'

/** Longer, with a fresh seed: `NC_FUZZ_SECONDS=10`. */
const SECONDS = Number(process.env.NC_FUZZ_SECONDS ?? 0)
const RUNS = 300
const isLong = SECONDS > 0
const seed = isLong ? Math.floor(Math.random() * 2 ** 32) : 7

test.each(Object.keys(ENGINES) as (keyof typeof ENGINES)[])(
  '%s of a seed and the known attacks are bounded',
  async (engine) => {
    const amount = isLong ? { seconds: SECONDS } : { seconds: 60, runs: RUNS }
    const { runs, faults } = await runFuzz({ engine, seed, ...amount })
    expect(faults, `npm run fuzz -- --engine ${engine} --seed ${seed} ${JSON.stringify(amount)}`).toEqual([])
    expect(runs).toBeGreaterThan(0)
  },
  120_000,
)
