// The storage of a browser of the model, as one of its tabs uses it: each answer takes its time, and is lost with the tab.

import type { Counts } from '../../inbox/change-log.ts'
import type { InboxStorage } from '../../inbox/storage.ts'
import type { Life, World } from './world.ts'

interface StorageDeps {
  world: World
  /** The tab. */
  life: Life
  kept: Map<string, unknown>
  /** Receives the names of delivery events that are stored. */
  everQueued: Set<string>
}

/** In the same store: what is cached outlives the page as what is stored does. */
const cachedAs = (key: string): string => `cached ${key}`

export function createStorage({ world, life, kept, everQueued }: StorageDeps): InboxStorage {
  /** What is done is done at one instant; who asked hears of it later, if at all. */
  const ask = <T>(act: () => T): Promise<T> =>
    new Promise((resolve) => {
      world.after(
        world.random() * 8,
        () => {
          if (!life.isAlive && world.chance(0.5)) return
          const done = act()
          world.after(world.random() * 4, () => resolve(done), life)
        },
        null,
      )
    })
  return {
    get: <T>(key: string) => ask(() => kept.get(key) as T | undefined),
    update: <T>(key: string, change: (old: T | undefined) => T | undefined) =>
      ask(() => {
        const next = change(kept.get(key) as T | undefined)
        if (next === undefined) kept.delete(key)
        else kept.set(key, next)
        if (key.startsWith('receipts')) {
          for (const item of (next ?? []) as { messageId: string; eventType: string }[]) {
            everQueued.add(`${item.eventType}|${item.messageId}`)
          }
        }
      }),
    del: (key) => {
      kept.delete(cachedAs(key))
      return ask(() => void kept.delete(key))
    },
    keys: () => ask(() => [...kept.keys()]),
    readCounts: (key) => kept.get(cachedAs(key)) as Counts | undefined,
    cacheCounts: (key, counts) => void kept.set(cachedAs(key), counts),
  }
}
