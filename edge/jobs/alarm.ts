// Provides a sleep that other code can end, for loops that poll for work.

/** Creates the sleep; a `ring` between `arm` and `wait` is not lost. */
export function createAlarm() {
  let isRung = false
  let end: (() => void) | undefined
  return {
    arm() {
      isRung = false
    },
    ring() {
      isRung = true
      end?.()
    },
    wait(sleepMs: number): Promise<void> {
      if (isRung) return Promise.resolve()
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
