// Keeps one user's log and list in this browser for a cold start, and wipes it when asked.

import type { Counts } from './change-log.ts'
import type { Drawer } from './storage.ts'
import type { StoredInbox } from './stored-inbox.ts'

export interface Keeper {
  read(): Promise<StoredInbox | undefined>
  /** Keeps it in a moment, with what comes until then. */
  keepSoon(): void
  /** Keeps it now, if it is to be kept; in any case what the next page is to show first. */
  keepNow(): void
  wipe(): Promise<void>
  stop(): void
}

/** Of messages and of changes; and of all together, as JSON. */
const MOST_KEPT = 100
const MOST_CHARS = 1_000_000
const AFTER_MS = 500

export function createKeeper(
  drawer: Drawer,
  key: string,
  /** As this page shows them; undefined while it has no list. */
  counts: () => Counts | undefined,
  /** At most so many of each; undefined while there is nothing to keep, or another tab does. */
  now: (most: number) => StoredInbox | undefined,
): Keeper {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  const noteCounts = (): void => {
    const shown = counts()
    if (shown) drawer.note?.(key, shown)
  }
  const keep = (): void => {
    stop()
    let most = MOST_KEPT
    let kept = now(most)
    while (most > 1 && JSON.stringify(kept ?? '').length > MOST_CHARS) {
      most >>= 1
      kept = now(most)
    }
    if (kept === undefined || isOver) return
    noteCounts()
    const { head } = kept
    // Another tab may have led meanwhile, and know more.
    const isNewer = (old: StoredInbox): boolean => old.head.epoch === head.epoch && old.head.seq > head.seq
    void drawer.update<StoredInbox | undefined>(key, (old) => (old !== undefined && isNewer(old) ? old : kept))
  }
  return {
    read: () => drawer.get<StoredInbox>(key),
    keepSoon: () => {
      // Not put off by what comes meanwhile: a busy inbox would never be kept.
      if (!isOver) timer ??= setTimeout(keep, AFTER_MS)
    },
    keepNow: () => {
      if (timer !== undefined) keep()
      // Whoever leads may be asleep.
      noteCounts()
    },
    wipe: () => drawer.del(key),
    stop: () => {
      isOver = true
      stop()
    },
  }
}
