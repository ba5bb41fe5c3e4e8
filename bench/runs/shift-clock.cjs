// Preloaded into an edge that makes data of the past: its clock begins BENCH_CLOCK_SHIFT_MS beside the true one, and goes
// BENCH_CLOCK_SPEED times as fast.

const trueNow = Date.now
const begun = trueNow()
const shiftMs = Number(process.env.BENCH_CLOCK_SHIFT_MS)
const speed = Number(process.env.BENCH_CLOCK_SPEED ?? 1)
Date.now = () => Math.floor(begun + shiftMs + (trueNow() - begun) * speed)
