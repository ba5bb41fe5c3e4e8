// The locks of one browser as the model sees them: asked for in turn, stolen, and let go when a tab ends.

import type { Locks } from '../../inbox/core-types.ts'
import type { Life, World } from './world.ts'

interface Held {
  tab: Life
  end: () => void
}

export interface BrowserLocks {
  /** As one tab asks for them. */
  of(tab: Life): Locks
  /** Takes all from a tab that is no more; who waited is next. */
  release(tab: Life): void
}

export function createLocks(world: World): BrowserLocks {
  const locks = new Map<string, { held: Held | undefined; waiting: { tab: Life; take: () => void }[] }>()

  const lockOf = (name: string) => {
    const lock = locks.get(name) ?? { held: undefined, waiting: [] }
    locks.set(name, lock)
    return lock
  }
  const grant = (name: string): void => {
    const lock = lockOf(name)
    if (lock.held !== undefined) return
    const next = lock.waiting.shift()
    if (next !== undefined) next.take()
  }
  const locksOf = (tab: Life): Locks => ({
    request: (name, { steals = false, signal }, act) =>
      new Promise((resolve, reject) => {
        if (!tab.isAlive) return
        const lock = lockOf(name)
        const refuse = (): void => reject(new DOMException('taken', 'AbortError'))
        const take = (): void => {
          const held: Held = { tab, end: () => world.after(0, refuse, tab) }
          lock.held = held
          const done = (settle: () => void) => () => {
            if (lock.held !== held) return
            lock.held = undefined
            settle()
            grant(name)
          }
          world.after(
            world.random() * 5,
            () => {
              if (lock.held === held) act().then(done(resolve), (error) => done(() => reject(error))())
            },
            tab,
          )
        }
        const waiting = { tab, take }
        if (signal?.aborted) return refuse()
        if (steals) {
          lock.held?.end()
          take()
          return
        }
        lock.waiting.push(waiting)
        signal?.addEventListener('abort', () => {
          const at = lock.waiting.indexOf(waiting)
          if (at < 0) return
          lock.waiting.splice(at, 1)
          refuse()
        })
        grant(name)
      }),
    names: async () => [...locks].flatMap(([name, { held, waiting }]) => (held || waiting.length > 0 ? [name] : [])),
  })

  return {
    of: locksOf,
    release: (tab) => {
      for (const [name, lock] of locks) {
        lock.waiting = lock.waiting.filter((each) => each.tab !== tab)
        if (lock.held?.tab === tab) lock.held = undefined
        grant(name)
      }
    },
  }
}
