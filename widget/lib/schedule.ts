// Waits for a frame, for what was drawn to be on the screen, and for idle time.

/** Idle time; 50 ms where the browser has no notion of it. */
export const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve)
    else setTimeout(resolve, 50)
  })

/** The task after the next frame; a hidden page paints nothing, so it does not wait. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    if (document.visibilityState === 'hidden') setTimeout(resolve, 0)
    else requestAnimationFrame(() => setTimeout(resolve, 0))
  })
}

/** The next frame; a hidden page draws none: there it is a moment later. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (document.visibilityState === 'visible') requestAnimationFrame(() => resolve())
    else setTimeout(resolve, 50)
  })
}

/** A hidden page draws no frames: there it is done after a moment. */
export function oncePerFrame(act: () => void): () => void {
  let isPlanned = false
  const run = (): void => {
    isPlanned = false
    act()
  }
  return () => {
    if (isPlanned) return
    isPlanned = true
    if (document.visibilityState === 'visible') requestAnimationFrame(run)
    else setTimeout(run, 50)
  }
}
