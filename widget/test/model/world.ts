// A world of its own time and chance: everything that the tabs of the model wait for is an event here, and one seed decides their order.

import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'

/** Whose events these are: they stop with it. */
export interface Life {
  isAlive: boolean
  /** Set while it stands still: its events wait here. */
  frozen: (() => void)[] | undefined
  /** What its device adds to the true time, ms. */
  skewMs: number
  /** Its way to the service. */
  fetch(url: string, options: FetchOptions): Promise<unknown>
}

export interface FetchOptions {
  method: string
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}

interface Happening {
  at: number
  no: number
  life: Life | undefined
  act: () => void
}

export interface World {
  readonly now: number
  random(): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T | undefined
  /** Runs later, as part of the life that is running now or of the one given. Answers its number. */
  after(delayMs: number, act: () => void, life?: Life | null): number
  within(life: Life, act: () => void): void
  thaw(life: Life): void
  /** Runs what happens in this time. */
  pass(durationMs: number): Promise<void>
  end(): void
}

const EPOCH_MS = Date.UTC(2026, 0, 1)
const lives = new AsyncLocalStorage<Life>()
const settle = setImmediate

export function createWorld(seed: number): World {
  let state = seed >>> 0 || 1
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  let now = EPOCH_MS
  let lastNo = 0
  const queue: Happening[] = []
  const gone = new Set<number>()

  const add = (happening: Happening): void => {
    let [low, high] = [0, queue.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      // The next one stands last.
      if ((queue[middle]?.at ?? 0) > happening.at) low = middle + 1
      else high = middle
    }
    queue.splice(low, 0, happening)
  }
  const after = (delayMs: number, act: () => void, life: Life | null | undefined = lives.getStore()): number => {
    const no = ++lastNo
    add({ at: now + Math.max(0, delayMs), no, life: life ?? undefined, act })
    return no
  }
  const run = ({ life, act, no }: Happening): void => {
    if (gone.delete(no)) return
    if (life === undefined) lives.exit(act)
    else if (!life.isAlive) return
    else if (life.frozen !== undefined) life.frozen.push(() => lives.run(life, act))
    else lives.run(life, act)
  }

  vi.stubGlobal('setTimeout', (act: () => void, delayMs = 0) => after(delayMs, act))
  vi.stubGlobal('clearTimeout', (no: number | undefined) => no !== undefined && gone.add(no))
  vi.stubGlobal('performance', { now: () => now - EPOCH_MS })
  vi.stubGlobal('fetch', (url: string, options: FetchOptions) => lives.getStore()?.fetch(url, options))
  // Not spies: those remember each call, and there are very many.
  const plain = [AbortSignal.timeout, Date.now, Math.random] as const
  AbortSignal.timeout = (delayMs) => {
    const controller = new AbortController()
    after(delayMs, () => controller.abort())
    return controller.signal
  }
  Date.now = () => now + (lives.getStore()?.skewMs ?? 0)
  Math.random = random

  return {
    get now() {
      return now
    },
    random,
    chance: (probability) => random() < probability,
    pick: (from) => from[Math.floor(random() * from.length)],
    after,
    within: (life, act) => lives.run(life, act),
    thaw: (life) => {
      const waiting = life.frozen ?? []
      life.frozen = undefined
      for (const act of waiting) act()
    },
    pass: async (durationMs) => {
      const end = now + durationMs
      for (let next = queue.at(-1); next !== undefined && next.at <= end; next = queue.at(-1)) {
        queue.pop()
        now = Math.max(now, next.at)
        run(next)
        await new Promise<void>((resolve) => settle(resolve))
      }
      now = end
    },
    end: () => {
      ;[AbortSignal.timeout, Date.now, Math.random] = plain
      vi.unstubAllGlobals()
    },
  }
}
