// Tells how this page fares: back from wherever it was, put away, leaving, and back from the browser's memory of pages.

/** `wake`: shown, network back, or a clock that jumped over a sleep. `leave`: gone or frozen, perhaps to be `back`. */
export type PageWord = 'wake' | 'hide' | 'leave' | 'back'

const TICK_MS = 20_000
/** Timers of hidden pages run at most once a minute; a longer pause was a sleep. */
const SLEPT_MS = 90_000

/** Calls `tell` until the answered function is called. Silent where there is no window (a server). */
export function watchPage(tell: (word: PageWord) => void): () => void {
  if (typeof window === 'undefined') return () => {}
  let lastTick = Date.now()
  const timer = setInterval(() => {
    const sleptMs = Math.abs(Date.now() - lastTick)
    lastTick = Date.now()
    if (sleptMs > SLEPT_MS) tell('wake')
  }, TICK_MS)
  const ends = [
    listen(document, 'visibilitychange', () => tell(isPageVisible() ? 'wake' : 'hide')),
    // What the browser says of the network is a hint to look, no more.
    ...['online', 'offline'].map((type) => listen(window, type, () => tell('wake'))),
    listen(window, 'pagehide', () => tell('leave')),
    listen(document, 'freeze', () => tell('leave')),
    listen(document, 'resume', () => tell('back')),
    listen(window, 'pageshow', (event) => {
      if ((event as PageTransitionEvent).persisted) tell('back')
    }),
  ]
  return () => {
    clearInterval(timer)
    for (const end of ends) end()
  }
}

export const isPageVisible = (): boolean => typeof document === 'undefined' || document.visibilityState === 'visible'

/** Listens until the answered function is called. */
export function listen(target: EventTarget, type: string, act: (event: Event) => void): () => void {
  target.addEventListener(type, act)
  return () => target.removeEventListener(type, act)
}
