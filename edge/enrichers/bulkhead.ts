// Limits concurrent calls by endpoint, by environment and in all, with short queues: a slow endpoint uses only its own slots.

export interface BulkheadLimits {
  perEndpoint: number
  perEnvironment: number
  inAll: number
  /** Calls that wait for one endpoint. */
  waitingPerEndpoint: number
  waitingInAll: number
  /** A call that has waited this long is refused. */
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

/** The endpoint and the environment whose call has a slot. */
export interface SlotOwner {
  endpoint: string
  environmentId: number
}

export interface Bulkhead {
  /** Resolves with the function that releases the slot, or null when none became free in time. */
  acquire(owner: SlotOwner): Promise<(() => void) | null>
  /** Refuses all waiting calls. */
  clear(): void
  /** Calls that have a slot, and calls that wait for one. */
  size(): { underWay: number; waiting: number }
}

interface Waiter extends SlotOwner {
  settle(isAdmitted: boolean): void
}

export function createBulkhead(limits: BulkheadLimits = BULKHEAD_LIMITS): Bulkhead {
  const ofEndpoint = createCounts<string>()
  const ofEnvironment = createCounts<number>()
  /** In order of arrival, of all endpoints; a waiter without a free slot is passed over. */
  const waiters = new Set<Waiter>()
  const waitingFor = createCounts<string>()
  let underWay = 0

  function hasFreeSlot({ endpoint, environmentId }: SlotOwner): boolean {
    return (
      underWay < limits.inAll &&
      ofEndpoint.get(endpoint) < limits.perEndpoint &&
      ofEnvironment.get(environmentId) < limits.perEnvironment
    )
  }

  function take({ endpoint, environmentId }: SlotOwner): () => void {
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
        if (hasFreeSlot(waiter)) waiter.settle(true)
      }
    }
  }

  function wait(owner: SlotOwner): Promise<(() => void) | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.settle(false), limits.waitMs)
      const waiter: Waiter = {
        ...owner,
        settle(isAdmitted) {
          clearTimeout(timer)
          waiters.delete(waiter)
          waitingFor.add(owner.endpoint, -1)
          resolve(isAdmitted ? take(owner) : null)
        },
      }
      waiters.add(waiter)
      waitingFor.add(owner.endpoint, 1)
    })
  }

  return {
    async acquire(owner) {
      // Earlier calls of the same endpoint go first.
      if (hasFreeSlot(owner) && waitingFor.get(owner.endpoint) === 0) return take(owner)
      const isFull = waitingFor.get(owner.endpoint) >= limits.waitingPerEndpoint || waiters.size >= limits.waitingInAll
      return isFull ? null : wait(owner)
    },
    clear() {
      for (const waiter of [...waiters]) waiter.settle(false)
    },
    size: () => ({ underWay, waiting: waiters.size }),
  }
}

/** Counts by key; a key at zero takes no memory. */
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
