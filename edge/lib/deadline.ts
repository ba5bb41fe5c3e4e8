// A bound for waiting, in time that this process had: what it stood still for (a loop that was busy, a machine that was paused) is
// not the other side's delay.

/** In so many parts time is counted: a standstill, however long, uses up one of them. */
const PARTS = 4
/** For answers that have arrived but not been read when the last part was over (ms). */
const GRACE_MS = 50

/** Settles as `work` does, or rejects with what `late` gives after `limitMs`. */
export function withDeadline<T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = startDeadline(limitMs, () => reject(late()))
    work.then(resolve, reject).finally(end)
  })
}

/** Calls `onLate` once after `limitMs`, unless it is ended before. Answers what ends it. */
export function startDeadline(limitMs: number, onLate: () => void): () => void {
  let left = PARTS
  // A timer that comes due in a busy loop fires before the answers that wait to be read: they get a turn first.
  const give = () => {
    left -= 1
    if (left < 0) onLate()
    else timer = setTimeout(give, left === 0 ? GRACE_MS : limitMs / PARTS)
  }
  let timer = setTimeout(give, limitMs / PARTS)
  return () => clearTimeout(timer)
}
