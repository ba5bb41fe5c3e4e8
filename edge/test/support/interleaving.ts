// Controls the order of actors' calls to one store. Each actor stops before (and after) every store call,
// until the test continues or crashes it.

import { setImmediate } from 'node:timers/promises'

/** Rejects the calls of a crashed actor, so that nothing that it would do next takes place. */
class Crash extends Error {}

export interface Actor {
  /** Returns the port for this actor. Methods in `writes` also stop after the call, because their answer may be lost. */
  wrap<T extends object>(port: T, writes: readonly (keyof T)[]): T
}

export interface Interleaving {
  /** Starts an actor up to its first stop. `onEnd` reports whether it reached its end. */
  start(work: (actor: Actor) => Promise<void>, onEnd?: (hasCompleted: boolean) => void): Promise<void>
  /** Number of stops at which an actor waits. */
  stops(): number
  /** Continues the actors at these stops (modulo their number) together, and waits until all have stopped again. */
  resume(which: number[]): Promise<void>
  /** Crashes the actor at that stop with everything it started. */
  crash(which: number): Promise<void>
}

interface Stop {
  owner: Actor
  resume(): void
  reject(): void
}

/** Turns of the event loop without a new stop after which all actors count as stopped. */
const QUIET_TURNS = 4

/** Creates an interleaving without actors. */
export function createInterleaving(): Interleaving {
  let stops: Stop[] = []
  const crashed = new Set<Actor>()
  let calls = 0
  let moves = 0

  function stop(owner: Actor): Promise<void> {
    moves++
    if (crashed.has(owner)) return Promise.reject(new Crash())
    return new Promise((resolve, reject) => stops.push({ owner, resume: resolve, reject: () => reject(new Crash()) }))
  }

  async function settle(): Promise<void> {
    for (let quiet = 0, seen = moves; quiet < QUIET_TURNS; ) {
      await setImmediate()
      quiet = calls === 0 && moves === seen ? quiet + 1 : 0
      seen = moves
    }
  }

  function createActor(): Actor {
    const actor: Actor = {
      wrap<T extends object>(port: T, writes: readonly (keyof T)[]): T {
        return new Proxy(port, {
          get(target, name, receiver) {
            const method: unknown = Reflect.get(target, name, receiver)
            if (typeof method !== 'function') return method
            return async (...args: unknown[]) => {
              await stop(actor)
              calls++
              const answer: unknown = await Promise.resolve(Reflect.apply(method, target, args)).finally(() => {
                calls--
                moves++
              })
              if (writes.some((write) => write === name)) await stop(actor)
              return answer
            }
          },
        })
      },
    }
    return actor
  }

  return {
    stops: () => stops.length,
    async start(work, onEnd) {
      const actor = createActor()
      work(actor).then(
        () => onEnd?.(!crashed.has(actor)),
        (error: unknown) => {
          if (!(error instanceof Crash)) throw error
          onEnd?.(false)
        },
      )
      await settle()
    },
    async resume(which) {
      const chosen = new Set(which.map((one) => stops[one % stops.length]))
      const selected = stops.filter((one) => chosen.has(one))
      stops = stops.filter((one) => !chosen.has(one))
      for (const one of selected) one.resume()
      await settle()
    },
    async crash(which) {
      const owner = stops[which % stops.length]?.owner
      if (owner === undefined) return
      crashed.add(owner)
      const selected = stops.filter((one) => one.owner === owner)
      stops = stops.filter((one) => one.owner !== owner)
      for (const one of selected) one.reject()
      await settle()
    },
  }
}
