// Preloaded into an edge that makes data of the past: its clock goes BENCH_CLOCK_SHIFT_MS beside the true one.

const now = Date.now
const shiftMs = Number(process.env.BENCH_CLOCK_SHIFT_MS)
Date.now = () => now() + shiftMs
