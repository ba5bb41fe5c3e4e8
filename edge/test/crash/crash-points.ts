// Adds crash points to ports: before and after each call of the store that writes, and each effect.
// A caller that reaches its point never continues, and neither does anything that it started.

import { setImmediate } from 'node:timers/promises'

export interface CrashPoints {
  /** Returns the ports, each with points around its methods. */
  wrapAll<T extends object>(ports: T): T
  /** Wraps an effect. It may call ports itself, so its calls do not count as calls in progress. */
  wrapEffect<T extends object>(name: string, port: T): T
  /** Resolves with the name of the reached point. Never settles when none is reached. */
  halted: Promise<string>
  /** Resolves when no call of a port is in progress. */
  whenIdle(): Promise<void>
}

/** Reads are no points: a process that ends at one leaves what it leaves after the write before it, or before the next. */
const READS = /^(find|list|get|read|is|next|page|head|step|summarize|slices|changes|count)/
const NEVER = new Promise<never>(() => {})

/**
 * Creates crash points. `haltAt`: the point to stop at, by its number from 1 or its first occurrence by name;
 * Infinity for none.
 */
export function createCrashPoints(haltAt: number | string): CrashPoints {
  let passed = 0
  let inProgress = 0
  let isHalted = false
  let resolveHalted: (where: string) => void = () => {}
  const halted = new Promise<string>((resolve) => {
    resolveHalted = resolve
  })

  async function pass(where: string): Promise<void> {
    if (isHalted) return NEVER
    passed++
    if (typeof haltAt === 'string' ? where !== haltAt : passed < haltAt) return
    isHalted = true
    resolveHalted(where)
    return NEVER
  }

  function wrap<T extends object>(name: string, port: T, counted: 0 | 1): T {
    return new Proxy(port, {
      get(target, method, receiver) {
        const called: unknown = Reflect.get(target, method, receiver)
        if (typeof called !== 'function') return called
        // It calls work of its caller, which may stop at a point: that is no store call in progress.
        if (method === 'holding') return called.bind(target)
        const where = `${name}.${String(method)}`
        const isRead = READS.test(String(method))
        return async (...args: unknown[]) => {
          if (!isRead) await pass(`before ${where}`)
          inProgress += counted
          const answer: unknown = await Promise.resolve(Reflect.apply(called, target, args)).finally(() => {
            inProgress -= counted
          })
          if (!isRead) await pass(`after ${where}`)
          return isHalted ? NEVER : answer
        }
      },
    })
  }

  return {
    wrapEffect: (name, port) => wrap(name, port, 0),
    wrapAll(ports) {
      return new Proxy(ports, {
        get(target, name, receiver) {
          const port: unknown = Reflect.get(target, name, receiver)
          return typeof port === 'object' && port !== null ? wrap(String(name), port, 1) : port
        },
      })
    },
    halted,
    async whenIdle() {
      do await setImmediate()
      while (inProgress > 0)
    },
  }
}
