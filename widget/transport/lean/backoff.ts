// Takes the place of the realtime client's own pacing (decision 0070): its reconnection is off, as inbox/connection.ts decides when to try again.

export class Backoff {
  readonly attempts = 0
  setMin(): void {}
  setMax(): void {}
  setJitter(): void {}
  reset(): void {}
  /** Asked for by a reconnection alone. */
  duration(): never {
    throw new Error('reconnection is off')
  }
}
