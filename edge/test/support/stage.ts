// A stage on which actors share one store: each stops before (and after) every call of it until it is let go on, and may die there.
// So a test decides in which order calls of several workers meet, and where a crash falls.

import { setImmediate } from 'node:timers/promises'

/** What a dead actor meets: nothing that it still wanted to do takes place. */
class Crash extends Error {}

export interface Actor {
  /** The port as this actor has it. Methods of `deeds` also stop after they were done: their answer may be lost. */
  behind<T extends object>(port: T, deeds: readonly (keyof T)[]): T
}

export interface Stage {
  /** Begins something, up to its first stop. `onEnd` hears whether it came to its end. */
  enter(act: (actor: Actor) => Promise<void>, onEnd?: (isWhole: boolean) => void): Promise<void>
  /** Stops at which somebody waits now. */
  stops(): number
  /** Lets go on who waits at these stops (counted round), all at once, and waits until everybody stands again. */
  go(which: number[]): Promise<void>
  /** Who waits at that stop dies there, with all that he has begun. */
  kill(which: number): Promise<void>
}

interface Stop {
  owner: Actor
  go(): void
  die(): void
}

/** Turns of the loop without anything new, after which everybody stands: between two calls of the store nobody waits for anything else. */
const QUIET_TURNS = 4

export function createStage(): Stage {
  let stops: Stop[] = []
  const dead = new Set<Actor>()
  let calls = 0
  let moves = 0

  function stop(owner: Actor): Promise<void> {
    moves++
    if (dead.has(owner)) return Promise.reject(new Crash())
    return new Promise((resolve, reject) => stops.push({ owner, go: resolve, die: () => reject(new Crash()) }))
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
      behind<T extends object>(port: T, deeds: readonly (keyof T)[]): T {
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
              if (deeds.some((deed) => deed === name)) await stop(actor)
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
    async enter(act, onEnd) {
      const actor = createActor()
      act(actor).then(
        () => onEnd?.(!dead.has(actor)),
        (error: unknown) => {
          if (!(error instanceof Crash)) throw error
          onEnd?.(false)
        },
      )
      await settle()
    },
    async go(which) {
      const chosen = new Set(which.map((one) => stops[one % stops.length]))
      const gone = stops.filter((one) => chosen.has(one))
      stops = stops.filter((one) => !chosen.has(one))
      for (const one of gone) one.go()
      await settle()
    },
    async kill(which) {
      const owner = stops[which % stops.length]?.owner
      if (owner === undefined) return
      dead.add(owner)
      const gone = stops.filter((one) => one.owner === owner)
      stops = stops.filter((one) => one.owner !== owner)
      for (const one of gone) one.die()
      await settle()
    },
  }
}
