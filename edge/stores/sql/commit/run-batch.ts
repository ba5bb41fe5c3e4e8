// Runs a batch of plans and writes in one transaction (group commit). A failing batch is halved until only the faulty
// write or plan fails.

import { commitBatch, type Outcome, type Plan } from '../commit.ts'
import { locksInboxes, runWrite } from '../run-write.ts'
import type { Engine, Sql } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import type { NamedWrite } from '../writes.ts'
import { ProfileTooLarge } from './recipients.ts'

export interface Batch {
  /** Run before the plans, in order. */
  writes: NamedWrite[]
  plans: Plan[]
  /** When the batch was sent (epoch ms). */
  now: number
}
export type Settled<T> = { value: T } | { error: Error }
export interface BatchResult {
  writes: Settled<unknown>[]
  plans: Settled<Outcome>[]
}

export interface BatchDeps {
  engine: Engine
  context: Omit<WriteContext, 'sql' | 'now'>
  /** Returns whether the store itself failed: the batch is not halved then. */
  isStoreFault(error: unknown): boolean
}

/**
 * Runs the batch. Writes that lock inboxes run first, each in its own transaction.
 * @returns A result for each write and plan, in their order; the function does not throw.
 */
export async function runBatch(deps: BatchDeps, batch: Batch): Promise<BatchResult> {
  if (!batch.writes.some(locksInboxes)) return runPart(deps, batch)
  const separate = new Map<NamedWrite, Settled<unknown>>()
  for (const write of batch.writes.filter(locksInboxes)) {
    const { writes } = await runPart(deps, { writes: [write], plans: [], now: batch.now })
    for (const settled of writes) separate.set(write, settled)
  }
  const others = batch.writes.filter((write) => !locksInboxes(write))
  const rest = others.length + batch.plans.length === 0 ? NOTHING : await runPart(deps, { ...batch, writes: others })
  const settledOthers = rest.writes.values()
  const writes = batch.writes.map((write) => separate.get(write) ?? (settledOthers.next().value as Settled<unknown>))
  return { writes, plans: rest.plans }
}

const NOTHING: BatchResult = { writes: [], plans: [] }

async function runPart(deps: BatchDeps, batch: Batch): Promise<BatchResult> {
  try {
    return await runTogether(deps, batch)
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    if (deps.isStoreFault(error) || batch.writes.length + batch.plans.length === 1) {
      const ofPlan = error instanceof ProfileTooLarge ? { value: { result: 'profile-too-large' } as const } : { error }
      return { writes: batch.writes.map(() => ({ error })), plans: batch.plans.map(() => ofPlan) }
    }
    return runInHalves(deps, batch)
  }
}

async function runTogether(deps: BatchDeps, batch: Batch): Promise<BatchResult> {
  const { users, cache } = deps.context
  try {
    const result = await deps.engine.transaction(async (sql: Sql) => {
      const context: WriteContext = { ...deps.context, sql, now: batch.now }
      const writes: Settled<unknown>[] = []
      for (const write of batch.writes) writes.push({ value: await runWrite(context, write) })
      const outcomes = batch.plans.length === 0 ? [] : await commitBatch(context, batch.plans)
      return { writes, plans: outcomes.map((value) => ({ value })) }
    }, batch.writes.some(locksInboxes))
    users.keep()
    cache?.keep()
    return result
  } catch (error) {
    users.drop()
    cache?.drop()
    throw error
  }
}

async function runInHalves(deps: BatchDeps, { writes, plans, now }: Batch): Promise<BatchResult> {
  const middle = Math.ceil((writes.length + plans.length) / 2)
  const ofPlans = Math.max(0, middle - writes.length)
  const first = await runPart(deps, { writes: writes.slice(0, middle), plans: plans.slice(0, ofPlans), now })
  const second = await runPart(deps, { writes: writes.slice(middle), plans: plans.slice(ofPlans), now })
  return { writes: [...first.writes, ...second.writes], plans: [...first.plans, ...second.plans] }
}
