// Where each row of a long list stands: measured once it was drawn, estimated until then. Pure: heights in, places out.

export interface RowHeights {
  /** The rows in order. What was measured stays known. */
  take(ids: readonly string[]): void
  /** Upper edge of a row in px; that of the row behind the last is the height of all. */
  top(index: number): number
  /** The row at this height, or the nearest. */
  at(y: number): number
  knows(index: number): boolean
  /** True when it was not known so. */
  measure(index: number, height: number): boolean
  /** Another width: everything is measured anew. */
  forget(): void
}

/** A title and two lines of text; it gives way to what the first rows have on average. */
const GUESS = 104
const ENOUGH = 5

export function createRowHeights(): RowHeights {
  let order: readonly string[] = []
  let known = new Map<string, number>()
  /** By place; NaN while it is not known. Plain numbers: places are added up anew in each frame of a fling. */
  let heights = new Float64Array()
  let tops = new Float64Array(1)
  let guess: number | undefined
  let isStale = true

  const settle = (): void => {
    if (!isStale) return
    isStale = false
    // Once: an estimate that kept moving would move all rows with it.
    if (guess === undefined && known.size >= ENOUGH) guess = [...known.values()].reduce((a, b) => a + b) / known.size
    const usual = guess ?? GUESS
    if (tops.length !== order.length + 1) tops = new Float64Array(order.length + 1)
    for (let index = 0, top = 0; index < order.length; index++) {
      top += heights[index] || usual
      tops[index + 1] = top
    }
  }
  const place = (): void => {
    heights = Float64Array.from(order, (id) => known.get(id) ?? Number.NaN)
    isStale = true
  }
  return {
    take: (ids) => {
      order = ids
      place()
      if (known.size <= 2 * ids.length) return
      // What has left the list must not be kept for ever.
      const left = new Set(ids)
      known = new Map([...known].filter(([id]) => left.has(id)))
    },
    top: (index) => {
      settle()
      return tops[Math.min(index, order.length)] as number
    },
    at: (y) => {
      settle()
      let [low, high] = [0, Math.max(0, order.length - 1)]
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((tops[middle] as number) <= y) low = middle
        else high = middle - 1
      }
      return low
    },
    knows: (index) => known.has(order[index] ?? ''),
    measure: (index, height) => {
      const id = order[index]
      if (id === undefined || Math.abs((known.get(id) ?? -1) - height) < 0.1) return false
      known.set(id, height)
      heights[index] = height
      isStale = true
      return true
    },
    forget: () => {
      known.clear()
      guess = undefined
      place()
    },
  }
}
