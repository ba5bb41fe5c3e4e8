// Plans the next attempt to sign in: one at a time, ever later, until one succeeds.

import { reconnectDelayMs } from './delays.ts'

export interface Retries {
  /** In so many ms; by default ever later. */
  later(act: () => unknown, delayMs?: number): void
  /** Unless one is planned: at once for the first time, then ever later. A page that renders on `nc-error` asks each time. */
  soon(act: () => unknown): void
  stop(): void
  /** The next attempt is the first one again. */
  cancel(): void
}

/** Plans none any more once `isOver`. */
export function createRetries(isOver: () => boolean, onPlanned: (delayMs: number) => void): Retries {
  let attempt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  const later = (act: () => unknown, delayMs = reconnectDelayMs(attempt++)): void => {
    stop()
    if (isOver()) return
    onPlanned(delayMs)
    timer = setTimeout(() => void act(), delayMs)
  }
  return {
    stop,
    later,
    soon: (act) => {
      if (timer === undefined) later(act, attempt++ === 0 ? 0 : undefined)
    },
    cancel: () => {
      attempt = 0
    },
  }
}
