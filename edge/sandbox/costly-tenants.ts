// Decides whose plain campaigns are costly just now: a sandbox evaluates them, so that they do not stop the server.

/** An evaluation is charged what it takes beyond this: about 0.1 ms, as long as the rest of a run takes. */
const FREE_UNITS = 1000
/** What a tenant may take beyond it in a period: about 10 ms. Two of the most costly conditions take more. */
const MOST_UNITS = 100_000
const PERIOD_MS = 1000
/** Tenants that are remembered; the one that was charged first is forgotten first. */
const MAX_TENANTS = 10_000

export interface CostlyTenants {
  has(tenantId: number): boolean
  /** Records an evaluation (units of `campaign/expression/budget.ts`). */
  record(tenantId: number, units: number): void
}

export function createCostlyTenants(now: () => number = () => performance.now()): CostlyTenants {
  const periods = new Map<number, { units: number; endsAt: number }>()

  function find(tenantId: number): { units: number; endsAt: number } | undefined {
    const period = periods.get(tenantId)
    if (period === undefined || period.endsAt > now()) return period
    periods.delete(tenantId)
    return undefined
  }

  return {
    has: (tenantId) => periods.size > 0 && (find(tenantId)?.units ?? 0) > MOST_UNITS,
    record(tenantId, units) {
      if (units <= FREE_UNITS) return
      const period = find(tenantId)
      if (period !== undefined) {
        period.units += units - FREE_UNITS
        return
      }
      periods.set(tenantId, { units: units - FREE_UNITS, endsAt: now() + PERIOD_MS })
      const [oldest] = periods.keys()
      if (periods.size > MAX_TENANTS && oldest !== undefined) periods.delete(oldest)
    },
  }
}
