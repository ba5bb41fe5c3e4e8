// Blocks this thread, like a machine that is suspended for a moment.

const nothing = new Int32Array(new SharedArrayBuffer(4))

/** Blocks timers and reads of this thread for `ms`; other threads continue. */
export function blockThread(ms: number): void {
  Atomics.wait(nothing, 0, 0, ms)
}
