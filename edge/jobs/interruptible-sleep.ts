// Provides a sleep that other code can interrupt, for loops that poll for work.

/** Creates the sleep. An interrupt between `reset` and `sleep` is not lost: that sleep ends at once. */
export function createInterruptibleSleep() {
  let isInterrupted = false
  let end: (() => void) | undefined
  return {
    reset() {
      isInterrupted = false
    },
    interrupt() {
      isInterrupted = true
      end?.()
    },
    sleep(sleepMs: number): Promise<void> {
      if (isInterrupted) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(() => end?.(), sleepMs)
        end = () => {
          clearTimeout(timer)
          end = undefined
          resolve()
        }
      })
    },
  }
}
