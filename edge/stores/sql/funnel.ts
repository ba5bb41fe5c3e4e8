// The funnel's counters: how they are read, and how they are proved from the delivery events (contract section 6, "Statistics").

import type { Funnels } from '../../domain/funnel.ts'
import { ALL_TIME, addCounts, type Counter, HOUR_MS } from './commit/counters.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

interface CounterRow {
  campaign_id: number
  channel: string
  hour: number
  version: number
  branch: string
  delivery: number
  read: number
  opened: number
  clicked: number
}

const sum = (what: string, name: string) => `CAST(SUM(${what}) AS BIGINT) AS "${name}"`
const SUMS = [
  sum('deliveries', 'delivery'),
  sum('reads', 'read'),
  sum('opens', 'opened'),
  sum('clicks', 'clicked'),
].join(', ')
const countOf = (type: string, name: string) => sum(`CASE WHEN e.event_type = '${type}' THEN 1 ELSE 0 END`, name)
const EVENT_COUNTS = [
  countOf('send', 'delivery'),
  countOf('read', 'read'),
  countOf('opened', 'opened'),
  countOf('clicked', 'clicked'),
]

const STORED = `SELECT campaign_id, channel, hour, version, branch, ${SUMS} FROM funnel GROUP BY campaign_id, channel, hour, version, branch`
const PURGED = `SELECT campaign_id, channel, hour, version, branch, ${SUMS} FROM funnel_purged GROUP BY campaign_id, channel, hour, version, branch`
const KEPT = `SELECT m.campaign_id, m.channel, m.delivered_at / ${HOUR_MS} AS hour, m.version, COALESCE(m.branch, '') AS branch,
  ${EVENT_COUNTS.join(', ')} FROM delivery_event e JOIN message m ON m.id = e.message_id
  WHERE m.is_test = 0 AND e.automated = 0 AND m.delivered_at IS NOT NULL
  GROUP BY m.campaign_id, m.channel, m.delivered_at / ${HOUR_MS}, m.version, COALESCE(m.branch, '')`

export const funnelWrites = {
  /** Adds the differences, so that counters which other nodes raise meanwhile stay right. Reads all delivery events in one transaction. */
  async rebuildFunnel(context: WriteContext): Promise<{ counters: number; differed: number }> {
    const truth = new Map<string, Counter>()
    for (const text of [KEPT, PURGED]) {
      for (const row of await context.sql.all<CounterRow>(text)) {
        addInto(truth, toCounter(row), 1)
        addInto(truth, { ...toCounter(row), hour: ALL_TIME }, 1)
      }
    }
    const counters = truth.size
    for (const row of await context.sql.all<CounterRow>(STORED)) addInto(truth, toCounter(row), -1)
    const differing = [...truth.values()].filter(
      (c) => c.delivery !== 0 || c.read !== 0 || c.opened !== 0 || c.clicked !== 0,
    )
    await addCounts(context, differing)
    return { counters, differed: differing.length }
  },
}

export function createFunnels(sql: Sql, writes: Writes<typeof funnelWrites>): Funnels {
  return {
    async slices(campaignId, channel, since) {
      const hours = since === null ? 'hour = ?' : 'hour >= ?'
      const rows = await sql.all<CounterRow>(
        `SELECT version, branch, ${SUMS} FROM funnel WHERE campaign_id = ? AND channel = ? AND ${hours} GROUP BY version, branch ORDER BY version, branch`,
        [campaignId, channel, since === null ? ALL_TIME : Math.max(0, Math.floor(since / HOUR_MS))],
      )
      return rows.map(({ version, branch, delivery, read, opened, clicked }) => {
        return { version, branch: branch === '' ? null : branch, delivery, read, opened, clicked }
      })
    },
    rebuild: writes.rebuildFunnel,
  }
}

function addInto(counters: Map<string, Counter>, counter: Counter, sign: 1 | -1): void {
  const { campaignId, channel, hour, version, branch } = counter
  const key = JSON.stringify([campaignId, channel, hour, version, branch])
  const sum = counters.get(key) ?? { ...counter, delivery: 0, read: 0, opened: 0, clicked: 0 }
  for (const step of ['delivery', 'read', 'opened', 'clicked'] as const) sum[step] += sign * counter[step]
  counters.set(key, sum)
}

function toCounter({ campaign_id: campaignId, ...row }: CounterRow): Counter {
  return { campaignId, ...row }
}
