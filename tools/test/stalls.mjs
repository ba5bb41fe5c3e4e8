// Blocks a node process at random between callbacks, like a busy machine (docs/testing.md#other-proofs):
// `NODE_OPTIONS="--import $PWD/tools/test/stalls.mjs" npx vitest run --project sdk`.
// Processes with their own environment, a browser or PostgreSQL are not affected. No seed: the machine decides the order.

import { createHook } from 'node:async_hooks'

const env = process.env
/** Maximum pause in milliseconds; most pauses last at most a quarter of it. */
const longestMs = Number(env.NC_STALL_MS ?? 400)
/** Fraction of time that a busy process is blocked. */
const part = Number(env.NC_STALL_PART ?? 0.5)
/** Probability that a pause precedes a callback. */
const chance = Number(env.NC_STALL_CHANCE ?? 0.05)

// Idle time counts for no pauses: they happen while the process works, and not all directly after an idle period.
const IDLE_MS = 50
const cell = new Int32Array(new SharedArrayBuffer(4))
// Kept before tests replace the clock.
const now = performance.now.bind(performance)
const random = Math.random.bind(Math)

let owedMs = 0
let lookedAt = now()

/** Sleeps on a futex, which uses no processor, so that many files can run at a time. */
function standStill() {
  const at = now()
  owedMs = Math.min(owedMs + (Math.min(at - lookedAt, IDLE_MS) * part) / (1 - part), 3 * longestMs)
  lookedAt = at
  const pauseMs = random() * (random() < 0.7 ? longestMs / 4 : longestMs)
  if (pauseMs > owedMs) return
  owedMs -= pauseMs
  Atomics.wait(cell, 0, 0, pauseMs)
  lookedAt = now()
}

createHook({
  before() {
    if (random() < chance) standStill()
  },
}).enable()
