// How long this page has been out of sight: after a while a leader gives way to a tab that is seen, and at last it lets the socket go (docs/decisions/0035-widget-parts.md).

export interface Rest {
  isTired(): boolean
  isParked(): boolean
  hide(): void
  /** Seen again, or ended. */
  end(): void
}

const TIRED_MS = 60_000
const PARK_MS = 5 * 60_000

export interface RestDeps {
  onTired: () => void
  onPark: () => void
  mayPark: () => boolean
}

export function createRest({ onTired, onPark, mayPark }: RestDeps): Rest {
  let timers: ReturnType<typeof setTimeout>[] = []
  let [isTired, isParked] = [false, false]

  const end = (): void => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
    isTired = isParked = false
  }
  return {
    isTired: () => isTired,
    isParked: () => isParked,
    end,
    hide: () => {
      end()
      timers = [
        setTimeout(() => {
          isTired = true
          onTired()
        }, TIRED_MS),
        setTimeout(() => {
          isParked = mayPark()
          if (isParked) onPark()
        }, PARK_MS),
      ]
    },
  }
}
