// Work that can wait for a moment when the browser has nothing else to do, a piece at a time (issue, widget: the panel opens at once).

const idle: (act: () => void) => unknown = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 50))

/** Each piece is done once, in order, and only while `isWanted`. Called whenever that may have become so. */
export function whileIdle(isWanted: () => boolean, pieces: (() => void)[]): () => void {
  let isPlanned = false
  const go = (): void => {
    if (isPlanned || pieces.length === 0 || !isWanted()) return
    isPlanned = true
    idle(() => {
      isPlanned = false
      if (isWanted()) pieces.shift()?.()
      go()
    })
  }
  return go
}
