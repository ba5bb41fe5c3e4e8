// Creates the port of the funnel, and rebuilds its counters from the delivery events.

import type { Funnels } from '../../domain/delivery/funnel.ts'
import { DELIVERY_EVENT, ITEM_OF_MESSAGE } from '../tables/message.ts'
import { type RawRow, type RowOf, view } from '../tables/table.ts'
import { addCounts, addPurged, type Counter, HOUR_MS, rowsOf } from './commit/counters.ts'
import { addStepCounts, type StepCounter } from './commit/step-tally.ts'
import { createFunnelReads, SUMS, sum } from './funnel-reads.ts'
import { STEP_OF } from './purge-messages.ts'
import { type Sql, withRows } from './sql.ts'
import { compareSteps } from './step-count.ts'
import type { WriteContext, Writes } from './write.ts'

const countOf = (type: string, name: string) => sum(`CASE WHEN e.event_type = '${type}' THEN 1 ELSE 0 END`, name)
/** Counts the events `e` by type. */
export const COUNTED_EVENTS = [
  'CAST(0 AS BIGINT) AS "delivery"',
  countOf('read', 'read'),
  countOf('opened', 'opened'),
  countOf('clicked', 'clicked'),
].join(', ')

/** The counter of `message m` and its `inbox_item i`: as the clause GROUP BY, and as columns. */
export const COUNTER_GROUPS = `m.environment_id, m.campaign_id, i.channel, i.delivered_at / ${HOUR_MS}, m.version, COALESCE(m.branch, ''), m.step_id`
export const COUNTER_KEY = `m.environment_id AS "environmentId", m.campaign_id AS "campaignId", i.channel AS channel, i.delivered_at / ${HOUR_MS} AS hour, m.version AS version, COALESCE(m.branch, '') AS branch, m.step_id AS "stepId"`
const COUNTER = 'environment_id, campaign_id, channel, hour, version, branch, step_id'

/**
 * Reads actual counts (of stored and purged events) and counters in one statement, so that both are of one moment.
 * Actual counts exist by hour only.
 */
const COMPARED = `SELECT 'actual' AS side, ${COUNTER_KEY}, ${COUNTED_EVENTS}
    FROM delivery_event e JOIN message m ON m.environment_id = e.environment_id AND m.id = e.message_id
      JOIN inbox_item i ON ${ITEM_OF_MESSAGE}
    WHERE i.is_test = 0 AND e.automated = 0 AND i.delivered_at IS NOT NULL GROUP BY ${COUNTER_GROUPS}
  UNION ALL SELECT 'actual', ${COUNTER_KEY}, ${sum('1', 'delivery')}, 0, 0, 0 FROM message m JOIN inbox_item i ON ${ITEM_OF_MESSAGE}
    WHERE i.is_test = 0 AND i.delivered_at IS NOT NULL GROUP BY ${COUNTER_GROUPS}
  UNION ALL SELECT 'actual', ${COUNTER}, ${SUMS} FROM funnel_purged GROUP BY ${COUNTER}
  UNION ALL SELECT 'counted', ${COUNTER}, ${SUMS} FROM funnel GROUP BY ${COUNTER}`

const ORPHAN = view(DELIVERY_EVENT, 'e', ['environmentId', 'messageId', 'eventType', 'automated'])
type Orphan = RowOf<typeof ORPHAN>
/**
 * Lists delivery events without a message. Earlier releases left them when a node recorded an event while another node
 * erased the user.
 */
const LIST_ORPHANS = `SELECT ${ORPHAN.columns} FROM delivery_event e
  WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.environment_id = e.environment_id AND m.id = e.message_id)`
const REMOVE_ORPHANS = withRows(
  { environment_id: 'int', event_type: 'text', message_id: 'int' },
  `DELETE FROM delivery_event WHERE (environment_id, event_type, message_id) IN (SELECT environment_id, event_type, message_id FROM given)
    AND NOT EXISTS (SELECT 1 FROM message m WHERE m.environment_id = delivery_event.environment_id AND m.id = delivery_event.message_id)`,
)

/** The changes of a rebuild. */
interface Correction {
  /** The differences of the counters of steps. */
  steps: StepCounter[]
  /** The differences of the counters; negative when they are too high. */
  counters: Counter[]
  /** Counts of orphans: they stay in the counters, and are added to the counts of purged messages. */
  orphaned: Counter[]
  orphans: Orphan[]
}

export const funnelWrites = {
  /** Corrects the counters and removes orphans; returns false when another rebuild did so since `seen`. */
  async correctFunnel(
    context: WriteContext,
    { counters, steps, orphaned, orphans }: Correction,
    seen: string,
  ): Promise<boolean> {
    const taken = await context.sql.run('UPDATE meta SET value = ? WHERE name = ? AND value = ?', [
      String(Number(seen) + 1),
      REBUILDS,
      seen,
    ])
    if (taken === 0) return false
    await context.sql.bulk(
      REMOVE_ORPHANS,
      orphans.map(({ environmentId, eventType, messageId }) => [environmentId, eventType, messageId]),
    )
    await addPurged(context, orphaned)
    await addCounts(context, counters)
    await addStepCounts(context, steps)
    return true
  },
  /** @returns the number of earlier rebuilds, and the time (epoch ms) */
  async beginRebuild({ sql, now }: WriteContext): Promise<{ seen: string; now: number }> {
    await sql.run(`INSERT INTO meta (name, value) VALUES (?, '0') ON CONFLICT (name) DO NOTHING`, [REBUILDS])
    const row = await sql.one<{ value: string }>('SELECT value FROM meta WHERE name = ?', [REBUILDS])
    return { seen: row?.value ?? '0', now }
  },
}
/** The row of `meta` that counts rebuilds. */
const REBUILDS = 'funnel_rebuilds'

export function createFunnels(sql: Sql, writes: Writes<typeof funnelWrites>): Funnels {
  return {
    ...createFunnelReads(sql),
    rebuild: () => rebuild(sql, writes),
  }
}

const STEPS = ['delivery', 'read', 'opened', 'clicked'] as const

/**
 * Reads while the writer works, then adds the differences. Events that are counted meanwhile stay right, because the
 * snapshot contains neither side of them. Of two concurrent rebuilds the second reads again.
 */
async function rebuild(sql: Sql, writes: Writes<typeof funnelWrites>): ReturnType<Funnels['rebuild']> {
  for (;;) {
    const { seen, now } = await writes.beginRebuild()
    const { counters, correction } = await compare(sql, now)
    const differed = correction.counters.length + correction.steps.length
    if (await writes.correctFunnel(correction, seen)) return { counters, differed }
  }
}

async function compare(sql: Sql, now: number): Promise<{ counters: number; correction: Correction }> {
  const orphans = (await sql.all<RawRow>(LIST_ORPHANS)).map(ORPHAN.read)
  const differences = new Map<string, Counter>()
  for (const { side, ...counter } of await sql.all<Counter & { side: 'actual' | 'counted' }>(COMPARED)) {
    if (side === 'counted') addInto(differences, counter, -1)
    else for (const hour of rowsOf(counter.hour)) addInto(differences, { ...counter, hour }, 1)
  }
  const orphaned = countOrphaned(differences, orphans)
  for (const counter of orphaned) for (const hour of rowsOf(counter.hour)) addInto(differences, { ...counter, hour }, 1)
  const steps = await compareSteps(sql, now)
  const differs = (c: Counter) => c.delivery !== 0 || c.read !== 0 || c.opened !== 0 || c.clicked !== 0
  return {
    counters: differences.size + steps.length,
    correction: {
      counters: [...differences.values()].filter(differs),
      steps: steps.filter(({ count }) => count !== 0),
      orphaned,
      orphans,
    },
  }
}

/** Returns the part of the counters' surplus that orphans explain, at most the number of orphans of each type. */
function countOrphaned(differences: Map<string, Counter>, orphans: Orphan[]): Counter[] {
  const left = { delivery: 0, read: 0, opened: 0, clicked: 0 }
  for (const { eventType, automated } of orphans) if (!automated) left[STEP_OF[eventType]]++
  const orphaned: Counter[] = []
  for (const counter of differences.values()) {
    if (counter.hour < 0) continue
    const part = { ...counter, delivery: 0, read: 0, opened: 0, clicked: 0 }
    for (const step of STEPS) {
      part[step] = Math.min(left[step], Math.max(0, -counter[step]))
      left[step] -= part[step]
    }
    if (STEPS.some((step) => part[step] > 0)) orphaned.push(part)
  }
  return orphaned
}

function addInto(counters: Map<string, Counter>, counter: Counter, sign: 1 | -1): void {
  const { campaignId, channel, hour, version, branch, stepId } = counter
  const key = JSON.stringify([campaignId, channel, hour, version, branch, stepId])
  const sum = counters.get(key) ?? { ...counter, delivery: 0, read: 0, opened: 0, clicked: 0 }
  for (const step of STEPS) sum[step] += sign * counter[step]
  counters.set(key, sum)
}
