// Tells which rows a person can really see: at least half in view, in a list that shows, on a visible page.

export interface Sight {
  /** Watches a row; the id is that of its message. */
  watch(row: Element, id: string): void
  /** The list was shown again: what lies in view now counts. */
  look(): void
  stop(): void
}

/** A list that moves is looked at so often: what flies past between two looks, nobody has seen. */
const LOOK_MS = 100

/** Neither hidden nor wholly transparent, by its own styles or those of anything that it is in, the page's elements included. */
function isVisible(row: Element): boolean {
  return row.checkVisibility({
    visibilityProperty: true,
    opacityProperty: true,
    // Firefox before 122 reads the former names of the same two options.
    checkVisibilityCSS: true,
    checkOpacity: true,
  })
}

/** Calls `onSeen` for the rows that come into sight of the list in this panel, of some perhaps more than once. */
export function createSight(panel: Element, isListShown: () => boolean, onSeen: (ids: string[]) => void): Sight {
  const ids = new WeakMap<Element, string>()
  const inView = new Set<Element>()
  let next: ReturnType<typeof setTimeout> | undefined
  const tell = (): void => {
    if (next !== undefined || document.visibilityState !== 'visible' || !isListShown()) return
    const rows = [...inView].filter((row) => row.isConnected)
    const visible = rows.filter(isVisible)
    // No observer says when an element that hides them, or fades in, becomes visible.
    if (visible.length < rows.length) move()
    const seen = visible.flatMap((row) => ids.get(row) ?? [])
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
  const move = (): void => {
    next ??= setTimeout(() => {
      next = undefined
      tell()
    }, LOOK_MS)
  }
  document.addEventListener('visibilitychange', tell)
  panel.addEventListener('scroll', move, { capture: true, passive: true })
  return {
    watch: (row, id) => {
      if (ids.get(row) === id) return
      // A row that became another message's is looked at anew.
      if (ids.has(row)) observer.unobserve(row)
      inView.delete(row)
      ids.set(row, id)
      observer.observe(row)
    },
    look: tell,
    stop: () => {
      observer.disconnect()
      clearTimeout(next)
      panel.removeEventListener('scroll', move, { capture: true })
      document.removeEventListener('visibilitychange', tell)
    },
  }
}
