// Puts off work to the next frame, once however often it is asked for.

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
