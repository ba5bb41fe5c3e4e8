// Extends timeouts of the element in tests: on a busy machine one press may take as long as ten presses of a person.

/** Durations of a message with "undo", of a toast and of a call without an answer (ms). */
export const [NOTICE_MS, TOAST_MS, CALL_MS] = [5_000, 7_000, 10_000]
/** Time limits for an answer of the leader tab, and of the service after a tab resumes (ms). */
export const [ANSWER_MS, WAKE_ANSWER_MS] = [500, 700]

/** Makes timers and deadlines of exactly these lengths (ms) last ten minutes. Runs in the page before the element starts. */
export function extendTimeouts(lengthsMs: readonly number[]): void {
  const extended = (ms: number | undefined): number => (lengthsMs.includes(ms ?? 0) ? 600_000 : (ms ?? 0))
  const [timer, deadline] = [globalThis.setTimeout, AbortSignal.timeout]
  Reflect.set(globalThis, 'setTimeout', (act: () => void, ms?: number, ...rest: unknown[]) =>
    timer(act, extended(ms), ...rest),
  )
  AbortSignal.timeout = (ms) => deadline.call(AbortSignal, extended(ms))
}
