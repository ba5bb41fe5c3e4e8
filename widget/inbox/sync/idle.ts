// Measures how long the page is hidden: after 60 s a leader gives way to a visible tab, after 5 min it closes its socket (docs/decisions/0035-widget-parts.md).

export interface Idle {
  isLongHidden(): boolean
  isParked(): boolean
  hide(): void
  /** Seen again, or ended. */
  end(): void
}

const LONG_HIDDEN_MS = 60_000
const PARK_MS = 5 * 60_000

export interface IdleDeps {
  onLongHidden: () => void
  onPark: () => void
  mayPark: () => boolean
}

export function createIdle({ onLongHidden, onPark, mayPark }: IdleDeps): Idle {
  let timers: ReturnType<typeof setTimeout>[] = []
  let [isLongHidden, isParked] = [false, false]

  const end = (): void => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
    isLongHidden = isParked = false
  }
  return {
    isLongHidden: () => isLongHidden,
    isParked: () => isParked,
    end,
    hide: () => {
      end()
      timers = [
        setTimeout(() => {
          isLongHidden = true
          onLongHidden()
        }, LONG_HIDDEN_MS),
        setTimeout(() => {
          isParked = mayPark()
          if (isParked) onPark()
        }, PARK_MS),
      ]
    },
  }
}
