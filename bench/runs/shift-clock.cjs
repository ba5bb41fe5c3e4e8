// Preloaded into an edge that makes data of the past: its clock stands BENCH_CLOCK_SHIFT_MS beside the true one.

const trueNow = Date.now
const shiftMs = Number(process.env.BENCH_CLOCK_SHIFT_MS)
Date.now = () => trueNow() + shiftMs
