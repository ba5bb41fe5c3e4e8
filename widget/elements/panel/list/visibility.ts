// Tells which rows a person can really see: at least half in view, in a list that shows, on a visible page (contract section 5, `read`).

export interface Sight {
  /** Watches a row; the id is that of its message. */
  watch(row: Element, id: string): void
  /** The list was shown again: what lies in view now counts. */
  look(): void
  stop(): void
}

/** Calls `onSeen` for each row that comes into sight, perhaps more than once. */
export function createSight(isListShown: () => boolean, onSeen: (ids: string[]) => void): Sight {
  const ids = new WeakMap<Element, string>()
  const inView = new Set<Element>()
  const tell = (): void => {
    if (document.visibilityState !== 'visible' || !isListShown()) return
    const seen = [...inView].filter((row) => row.isConnected).flatMap((row) => ids.get(row) ?? [])
    if (seen.length > 0) onSeen(seen)
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, intersectionRatio } of entries) {
        if (intersectionRatio >= 0.5) inView.add(target)
        else inView.delete(target)
      }
      tell()
    },
    { threshold: 0.5 },
  )
  document.addEventListener('visibilitychange', tell)
  return {
    watch: (row, id) => {
      if (ids.get(row) === id) return
      ids.set(row, id)
      observer.observe(row)
    },
    look: tell,
    stop: () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', tell)
    },
  }
}
