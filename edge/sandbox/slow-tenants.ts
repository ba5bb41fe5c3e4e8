// Decides which tenants are slow: those with a very long task, or several long ones, among their last.

/** A task that others would notice if they waited for it. */
const LONG_MS = 25
/** Weight of a task by its time: two of 50 ms, or one of 100, make a tenant slow. */
const FULL_MS = 50
const MOST = 2
/** What is left of the sum after each task: a tenant is quick again after about 35 quick ones. */
const KEPT = 0.95
const SLOW_FROM = 1.5
const QUICK_BELOW = 0.3
/** Tenants that are remembered; the longest without a task is forgotten first. */
const MAX_TENANTS = 10_000

export interface SlowTenants {
  has(tenantId: number): boolean
  record(tenantId: number, tookMs: number): void
}

export function createSlowTenants(): SlowTenants {
  const sums = new Map<number, number>()
  const slow = new Set<number>()

  function forget(tenantId: number): void {
    sums.delete(tenantId)
    slow.delete(tenantId)
  }

  return {
    has: (tenantId) => slow.has(tenantId),
    record(tenantId, tookMs) {
      const before = sums.get(tenantId)
      if (before === undefined && tookMs < LONG_MS) return
      const sum = (before ?? 0) * KEPT + (tookMs < LONG_MS ? 0 : Math.min(MOST, tookMs / FULL_MS))
      if (sum < QUICK_BELOW) return forget(tenantId)
      // Again at the end of the order.
      sums.delete(tenantId)
      sums.set(tenantId, sum)
      if (sum >= SLOW_FROM) slow.add(tenantId)
      const [oldest] = sums.keys()
      if (sums.size > MAX_TENANTS && oldest !== undefined) forget(oldest)
    },
  }
}
