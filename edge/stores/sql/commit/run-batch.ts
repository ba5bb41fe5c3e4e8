// Group commit: a batch of plans and other writes in one transaction; one that throws is halved until the poisoned piece stands alone (house section 3).

import { commitBatch, type Outcome, type Plan } from '../commit.ts'
import type { Engine, Sql } from '../sql.ts'
import { type NamedWrite, runWrite } from '../stores.ts'
import type { WriteContext } from '../write.ts'
import { OutgrownProfile } from './recipients.ts'

export interface Batch {
  /** Done first, in order. */
  writes: NamedWrite[]
  plans: Plan[]
  /** When it was handed over (epoch ms). */
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
  /** Whether the store itself is at fault: then no half of the batch fares better. */
  isStoreFault(error: unknown): boolean
}

/** Answers for every piece; never throws. */
export async function runBatch(deps: BatchDeps, batch: Batch): Promise<BatchResult> {
  try {
    return await runTogether(deps, batch)
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    if (deps.isStoreFault(error) || batch.writes.length + batch.plans.length === 1) {
      const ofPlan = error instanceof OutgrownProfile ? { value: { result: 'outgrown' } as const } : { error }
      return { writes: batch.writes.map(() => ({ error })), plans: batch.plans.map(() => ofPlan) }
    }
    return runInHalves(deps, batch)
  }
}

async function runTogether(deps: BatchDeps, batch: Batch): Promise<BatchResult> {
  const { users, remembered } = deps.context
  try {
    const result = await deps.engine.transaction(async (sql: Sql) => {
      const context: WriteContext = { ...deps.context, sql, now: batch.now }
      const writes: Settled<unknown>[] = []
      for (const write of batch.writes) writes.push({ value: await runWrite(context, write) })
      const outcomes = batch.plans.length === 0 ? [] : await commitBatch(context, batch.plans)
      return { writes, plans: outcomes.map((value) => ({ value })) }
    })
    users.keep()
    remembered?.keep()
    return result
  } catch (error) {
    users.drop()
    remembered?.drop()
    throw error
  }
}

async function runInHalves(deps: BatchDeps, { writes, plans, now }: Batch): Promise<BatchResult> {
  const middle = Math.ceil((writes.length + plans.length) / 2)
  const ofPlans = Math.max(0, middle - writes.length)
  const first = await runBatch(deps, { writes: writes.slice(0, middle), plans: plans.slice(0, ofPlans), now })
  const second = await runBatch(deps, { writes: writes.slice(middle), plans: plans.slice(ofPlans), now })
  return { writes: [...first.writes, ...second.writes], plans: [...first.plans, ...second.plans] }
}
