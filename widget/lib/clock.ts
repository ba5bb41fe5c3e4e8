// Clocks of the widget: the service's time, whatever the device's clock says, and a monotonic one for timers.

/** The service's time as this page can tell it. Instants are epoch milliseconds. */
export interface ServerClock {
  now(): number
  /** Sets the clock by what the service has just said its time is. */
  set(serverNow: number): void
  /** The device slept, or its clock was set: which of them it was, the service has to say. */
  hasJumped(): boolean
}

/** More than clocks run apart, and less than anybody sees in a relative time. */
const JUMP_MS = 10_000

/** Follows the device's clock until the service has spoken, then keeps their difference. */
export function createServerClock(deviceNow: () => number = Date.now): ServerClock {
  let offsetMs = 0
  const apart = (): number => deviceNow() - monotonicNow()
  let apartMs = apart()
  return {
    now: () => deviceNow() + offsetMs,
    set: (serverNow) => {
      offsetMs = serverNow - deviceNow()
      apartMs = apart()
    },
    hasJumped: () => Math.abs(apart() - apartMs) > JUMP_MS,
  }
}

/** Milliseconds since some moment, never stepping back. */
export const monotonicNow = (): number => performance.now()
