// What the element lets end by itself, made to last: on a busy machine a test may need for one press what a person needs for ten.

/** How long a word with "undo" stays, a toast, and a call without an answer, ms. */
export const [NOTICE_MS, TOAST_MS, CALL_MS] = [5_000, 7_000, 10_000]
/** In what time the tab that leads answers another one, and the service a tab that wakes, ms: else they are taken for dead. */
export const [ANSWER_MS, WAKE_ANSWER_MS] = [500, 700]

/** Runs in the page, before the element begins: timers and deadlines of exactly these lengths, ms, last for ten minutes. */
export function bePatient(lengthsMs: readonly number[]): void {
  const patient = (ms: number | undefined): number => (lengthsMs.includes(ms ?? 0) ? 600_000 : (ms ?? 0))
  const [timer, deadline] = [globalThis.setTimeout, AbortSignal.timeout]
  Reflect.set(globalThis, 'setTimeout', (act: () => void, ms?: number, ...rest: unknown[]) =>
    timer(act, patient(ms), ...rest),
  )
  AbortSignal.timeout = (ms) => deadline.call(AbortSignal, patient(ms))
}
