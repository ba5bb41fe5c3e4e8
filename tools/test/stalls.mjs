// Makes a node process stand still at random between any two of its callbacks, as one does on a busy machine (docs/decisions/0229):
// `NODE_OPTIONS="--import $PWD/tools/test/stalls.mjs" npx vitest run --project sdk`. What has an environment of its own, a browser
// or PostgreSQL, is not reached. Not seeded: what follows a pause is the machine's order, which no seed brings back.

import { createHook } from 'node:async_hooks'

const env = process.env
/** The longest pause in milliseconds; most have a quarter of it at most. */
const longestMs = Number(env.NC_STALL_MS ?? 400)
/** The part of its time that a busy process stands still. */
const part = Number(env.NC_STALL_PART ?? 0.5)
/** How likely a callback is to come after a pause. */
const chance = Number(env.NC_STALL_CHANCE ?? 0.05)

// A process that idles earns no pauses for it: they come while it works, and not all in its first moment after.
const IDLE_MS = 50
const cell = new Int32Array(new SharedArrayBuffer(4))
// Tests give their own clocks.
const now = performance.now.bind(performance)
const random = Math.random.bind(Math)

let owedMs = 0
let lookedAt = now()

/** Sleeps by a futex: it takes no processor, so that many files can be run so at a time. */
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
