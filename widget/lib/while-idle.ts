// Work that can wait for a moment when the browser has nothing else to do, a piece at a time.

/** Once the browser has nothing else to do, or so many ms have gone by. */
export const idle: (act: () => void, options?: IdleRequestOptions) => unknown =
  globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 50))

/** Each piece is done once, in order, and only while `isWanted` with so many left. Called whenever that may have become so. */
export function whileIdle(isWanted: (left: number) => boolean, pieces: (() => void)[]): () => void {
  let isPlanned = false
  const go = (): void => {
    if (isPlanned || pieces.length === 0 || !isWanted(pieces.length)) return
    isPlanned = true
    idle(() => {
      isPlanned = false
      if (isWanted(pieces.length)) pieces.shift()?.()
      go()
    })
  }
  return go
}
