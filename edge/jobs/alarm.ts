// A sleep that others can end, for loops that look for work.

/** A sleep that can be ended; a ring between `arm` and `wait` is not lost. */
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
