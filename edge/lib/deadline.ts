// Limits waiting by the running time of this process: a busy loop or a paused machine does not count as a delay of the
// other side.

/** Number of parts in which time is counted: a pause of the process uses up only one part, however long it is. */
const PARTS = 4
/** Milliseconds for answers that have arrived but are unread at the end of the last part. */
const GRACE_MS = 50

/** Settles like `work`, or rejects with the error of `late` after `limitMs`. */
export function withDeadline<T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = startDeadline(limitMs, () => reject(late()))
    work.then(resolve, reject).finally(end)
  })
}

/** Calls `onLate` once after `limitMs`. @returns A function that cancels it. */
export function startDeadline(limitMs: number, onLate: () => void): () => void {
  let left = PARTS
  // In a busy loop a due timer fires before unread answers are read, so they get one more turn.
  const endPart = () => {
    left -= 1
    if (left < 0) onLate()
    else timer = setTimeout(endPart, left === 0 ? GRACE_MS : limitMs / PARTS)
  }
  let timer = setTimeout(endPart, limitMs / PARTS)
  return () => clearTimeout(timer)
}
