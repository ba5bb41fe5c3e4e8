// A machine that stands still for a moment, as a test needs it.

const nothing = new Int32Array(new SharedArrayBuffer(4))

/** Nothing in this thread goes on meanwhile, its timers and reads too; other threads do. */
export function standStill(ms: number): void {
  Atomics.wait(nothing, 0, 0, ms)
}
