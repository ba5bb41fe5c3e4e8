// Waits until what was just drawn is on the screen.

/** The task after the next frame; a hidden page paints nothing, so it does not wait. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    if (document.visibilityState === 'hidden') setTimeout(resolve, 0)
    else requestAnimationFrame(() => setTimeout(resolve, 0))
  })
}
