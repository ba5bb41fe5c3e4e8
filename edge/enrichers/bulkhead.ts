// Places for calls: so many to an endpoint, an environment and in all, and short queues, so that a slow one fills only its own (contract section 8).

export interface BulkheadLimits {
  perEndpoint: number
  perEnvironment: number
  inAll: number
  /** Calls that wait for one endpoint. */
  waitingPerEndpoint: number
  waitingInAll: number
  /** Who has waited so long is turned away. */
  waitMs: number
}

export const BULKHEAD_LIMITS: BulkheadLimits = {
  perEndpoint: 8,
  perEnvironment: 32,
  inAll: 256,
  waitingPerEndpoint: 32,
  waitingInAll: 1024,
  waitMs: 5000,
}

/** Whose place it is. */
export interface Berth {
  endpoint: string
  environmentId: number
}

export interface Bulkhead {
  /** Resolves with the function that gives the place back, or null when there is none to be had in time. */
  enter(berth: Berth): Promise<(() => void) | null>
  /** Turns away all that wait. */
  clear(): void
  /** Calls that have a place, and calls that wait for one. */
  size(): { underWay: number; waiting: number }
}

interface Waiter extends Berth {
  settle(isLetIn: boolean): void
}

export function createBulkhead(limits: BulkheadLimits = BULKHEAD_LIMITS): Bulkhead {
  const ofEndpoint = createCounts<string>()
  const ofEnvironment = createCounts<number>()
  /** In the order of their coming, of all endpoints: who finds no place is passed over. */
  const waiters = new Set<Waiter>()
  const waitingFor = createCounts<string>()
  let underWay = 0

  function hasRoom({ endpoint, environmentId }: Berth): boolean {
    return (
      underWay < limits.inAll &&
      ofEndpoint.get(endpoint) < limits.perEndpoint &&
      ofEnvironment.get(environmentId) < limits.perEnvironment
    )
  }

  function take({ endpoint, environmentId }: Berth): () => void {
    underWay++
    ofEndpoint.add(endpoint, 1)
    ofEnvironment.add(environmentId, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      underWay--
      ofEndpoint.add(endpoint, -1)
      ofEnvironment.add(environmentId, -1)
      for (const waiter of waiters) {
        if (underWay >= limits.inAll) break
        if (hasRoom(waiter)) waiter.settle(true)
      }
    }
  }

  function wait(berth: Berth): Promise<(() => void) | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.settle(false), limits.waitMs)
      const waiter: Waiter = {
        ...berth,
        settle(isLetIn) {
          clearTimeout(timer)
          waiters.delete(waiter)
          waitingFor.add(berth.endpoint, -1)
          resolve(isLetIn ? take(berth) : null)
        },
      }
      waiters.add(waiter)
      waitingFor.add(berth.endpoint, 1)
    })
  }

  return {
    async enter(berth) {
      // Whoever came earlier for the same endpoint goes first.
      if (hasRoom(berth) && waitingFor.get(berth.endpoint) === 0) return take(berth)
      const isFull = waitingFor.get(berth.endpoint) >= limits.waitingPerEndpoint || waiters.size >= limits.waitingInAll
      return isFull ? null : wait(berth)
    },
    clear() {
      for (const waiter of [...waiters]) waiter.settle(false)
    },
    size: () => ({ underWay, waiting: waiters.size }),
  }
}

/** Counts by key; those at zero take no room. */
function createCounts<K>() {
  const counts = new Map<K, number>()
  return {
    get: (key: K) => counts.get(key) ?? 0,
    add(key: K, by: number) {
      const count = (counts.get(key) ?? 0) + by
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
  }
}
