// Tells when this page comes back: shown again, network back, or clocks that jumped over a sleep (issue, widget: heals after any loss).

const TICK_MS = 20_000
/** Timers of hidden pages run at most once a minute; a longer pause was a sleep. */
const SLEPT_MS = 90_000

/** Calls `onWake` until the answered function is called. Silent where there is no window (a server). */
export function watchWaking(onWake: () => void): () => void {
  if (typeof window === 'undefined') return () => {}
  let lastTick = Date.now()
  const timer = setInterval(() => {
    const sleptMs = Date.now() - lastTick
    lastTick = Date.now()
    if (sleptMs > SLEPT_MS) onWake()
  }, TICK_MS)
  const whenShown = (): void => {
    if (document.visibilityState === 'visible') onWake()
  }
  const ends = [
    listen(document, 'visibilitychange', whenShown),
    listen(window, 'online', onWake),
    // What the browser says of the network is a hint to look, no more.
    listen(window, 'offline', onWake),
    listen(window, 'pageshow', (event) => {
      if ((event as PageTransitionEvent).persisted) onWake()
    }),
  ]
  return () => {
    clearInterval(timer)
    for (const end of ends) end()
  }
}

/** Listens until the answered function is called. */
export function listen(target: EventTarget, type: string, act: (event: Event) => void): () => void {
  target.addEventListener(type, act)
  return () => target.removeEventListener(type, act)
}
