// Waits for a moment when the browser has nothing else to do.

/** Idle time; 50 ms where the browser has no notion of it. */
export const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve)
    else setTimeout(resolve, 50)
  })
