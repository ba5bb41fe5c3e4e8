// Puts off work to the next frame, once however often it is asked for.

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
