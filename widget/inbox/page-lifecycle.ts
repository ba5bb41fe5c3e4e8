// Reports the state of the page: shown, hidden, leaving, or restored from the browser's memory of pages.

/** `wake`: shown, network back, or a clock that jumped over a sleep. `leave`: gone or frozen, perhaps to be `back`. */
export type PageState = 'wake' | 'hide' | 'leave' | 'back'

const TICK_MS = 20_000
/** Timers of hidden pages run at most once a minute; a longer pause was a sleep. */
const SLEPT_MS = 90_000

/** Calls `onState` until the returned function is called. Silent where there is no window (a server). */
export function watchPage(onState: (state: PageState) => void): () => void {
  if (typeof window === 'undefined') return () => {}
  let lastTick = Date.now()
  const timer = setInterval(() => {
    const sleptMs = Math.abs(Date.now() - lastTick)
    lastTick = Date.now()
    if (sleptMs > SLEPT_MS) onState('wake')
  }, TICK_MS)
  const ends = [
    listen(document, 'visibilitychange', () => onState(isPageVisible() ? 'wake' : 'hide')),
    // What the browser says of the network is a hint to look, no more.
    ...['online', 'offline'].map((type) => listen(window, type, () => onState('wake'))),
    listen(window, 'pagehide', () => onState('leave')),
    listen(document, 'freeze', () => onState('leave')),
    listen(document, 'resume', () => onState('back')),
    listen(window, 'pageshow', (event) => {
      if ((event as PageTransitionEvent).persisted) onState('back')
    }),
  ]
  return () => {
    clearInterval(timer)
    for (const end of ends) end()
  }
}

export const isPageVisible = (): boolean => typeof document === 'undefined' || document.visibilityState === 'visible'

/** Listens until the returned function is called. */
export function listen(target: EventTarget, type: string, act: (event: Event) => void): () => void {
  target.addEventListener(type, act)
  return () => target.removeEventListener(type, act)
}
