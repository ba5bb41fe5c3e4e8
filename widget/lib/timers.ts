// Timers by name: one of each, the newest.

export interface Timers<Name extends string> {
  after(name: Name, delayMs: number, act: () => void): void
  cancel(...names: Name[]): void
  isSet(name: Name): boolean
}

/** Starts none any more once `isOver`. */
export function createTimers<Name extends string>(isOver: () => boolean): Timers<Name> {
  const timers = new Map<Name, ReturnType<typeof setTimeout>>()
  const cancel = (...names: Name[]): void => {
    for (const name of names) {
      clearTimeout(timers.get(name))
      timers.delete(name)
    }
  }
  return {
    cancel,
    isSet: (name) => timers.has(name),
    after: (name, delayMs, act) => {
      cancel(name)
      if (isOver()) return
      const timer = setTimeout(() => {
        timers.delete(name)
        act()
      }, delayMs)
      timers.set(name, timer)
    },
  }
}
