// A bound for waiting. What comes in time counts even when this process was too busy to see it in time.

/** For answers that have arrived but not been read while the loop was busy (ms). */
const GRACE_MS = 50

/** Settles as `work` does, or rejects with what `late` gives after `limitMs`. */
export function withDeadline<T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    // A timer that comes due in a busy loop fires before the answers that wait to be read: they get a turn first.
    const give = () => {
      timer = setTimeout(() => reject(late()), GRACE_MS)
    }
    let timer = setTimeout(give, limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
