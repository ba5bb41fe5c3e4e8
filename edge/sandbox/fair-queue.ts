// Queues tasks of many tenants: the tenant that used the fewest milliseconds is next.

/** A task's time before any was measured: the first tasks of a tenant come few at a time. */
const FIRST_MS = 5
/** Weight of the last task in a tenant's average; one long task, such as the first of a process, counts as a few. */
const WEIGHT = 0.2
const MOST_OF_AVERAGE = 4
/** Tenants without tasks whose averages are kept. */
const MAX_IDLE = 10_000

interface Tenant<Task> {
  id: number
  tasks: Task[]
  averageMs: number
  /** Milliseconds used, counted from the tenants that were busy when its first task came. */
  usedMs: number
}

export interface FairQueue<Task> {
  push(tenantId: number, task: Task): void
  /** Puts a task before the others of its tenant. */
  putBack(tenantId: number, task: Task): void
  /** Takes tasks of about `budgetMs` in all, at least one; of each tenant one at a time. */
  take(most: number, budgetMs: number): { tenantId: number; task: Task }[]
  /** Records the time of a task that was taken. */
  record(tenantId: number, tookMs: number): void
  /** The estimated time of a tenant's tasks in the queue. */
  backlogMs(tenantId: number): number
  size(): number
}

export function createFairQueue<Task>(): FairQueue<Task> {
  const tenants = new Map<number, Tenant<Task>>()
  const busy = new Set<Tenant<Task>>()
  let size = 0
  /** Use of the tenant that was last served: one that was idle does not save up time. */
  let servedMs = 0

  function find(id: number): Tenant<Task> {
    const known = tenants.get(id)
    if (known !== undefined) return known
    const tenant = { id, tasks: [], averageMs: FIRST_MS, usedMs: 0 }
    tenants.set(id, tenant)
    if (tenants.size > MAX_IDLE) dropIdle()
    return tenant
  }

  function dropIdle(): void {
    for (const tenant of tenants.values()) {
      if (tenants.size <= MAX_IDLE / 2) return
      if (!busy.has(tenant)) tenants.delete(tenant.id)
    }
  }

  function enter(tenant: Tenant<Task>): void {
    size++
    if (busy.has(tenant)) return
    busy.add(tenant)
    tenant.usedMs = Math.max(tenant.usedMs, servedMs)
  }

  return {
    push(tenantId, task) {
      const tenant = find(tenantId)
      tenant.tasks.push(task)
      enter(tenant)
    },
    putBack(tenantId, task) {
      const tenant = find(tenantId)
      tenant.tasks.unshift(task)
      enter(tenant)
    },
    take(most, budgetMs) {
      const taken: { tenantId: number; task: Task }[] = []
      let leftMs = budgetMs
      while (taken.length < most && busy.size > 0 && (leftMs > 0 || taken.length === 0)) {
        const round = [...busy].sort((one, other) => one.usedMs - other.usedMs).slice(0, most - taken.length)
        servedMs = Math.max(servedMs, round[0]?.usedMs ?? 0)
        for (const tenant of round) {
          if (leftMs <= 0 && taken.length > 0) break
          const task = tenant.tasks.shift()
          if (task === undefined) continue
          size--
          taken.push({ tenantId: tenant.id, task })
          leftMs -= tenant.averageMs
          if (tenant.tasks.length === 0) busy.delete(tenant)
        }
      }
      return taken
    },
    record(tenantId, tookMs) {
      const tenant = find(tenantId)
      tenant.usedMs += tookMs
      const countedMs = Math.min(tookMs, MOST_OF_AVERAGE * Math.max(tenant.averageMs, 1))
      tenant.averageMs += WEIGHT * (countedMs - tenant.averageMs)
    },
    backlogMs(tenantId) {
      const tenant = tenants.get(tenantId)
      return tenant === undefined ? 0 : tenant.tasks.length * tenant.averageMs
    },
    size: () => size,
  }
}
