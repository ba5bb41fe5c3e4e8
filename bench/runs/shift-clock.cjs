// Shifts the clock of an edge by BENCH_CLOCK_SHIFT_MS, to create old data. Preloaded by node.

const trueNow = Date.now
const shiftMs = Number(process.env.BENCH_CLOCK_SHIFT_MS)
Date.now = () => trueNow() + shiftMs
