// Preloaded into an edge that makes data of the past: its clock begins BENCH_CLOCK_SHIFT_MS beside the true one, and leaps an
// hour ahead every BENCH_CLOCK_HOUR_MS (0: never). Between two leaps it goes as it should: what takes long is refused.

const HOUR_MS = 3_600_000
const trueNow = Date.now
const begun = trueNow()
const shiftMs = Number(process.env.BENCH_CLOCK_SHIFT_MS)
const everyMs = Number(process.env.BENCH_CLOCK_HOUR_MS ?? 0)
Date.now = () => {
  const now = trueNow()
  const hours = everyMs === 0 ? 0 : Math.floor((now - begun) / everyMs)
  return now + shiftMs + hours * HOUR_MS
}
