// The funnel's counters: how they are read, and how they are proved from the delivery events (contract section 6, "Statistics").

import { setImmediate } from 'node:timers/promises'
import type { Channel } from '../../../contract/delivery.ts'
import type { FunnelSlice, Funnels } from '../../domain/delivery/funnel.ts'
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

/** Truth (kept and purged) and counters in one statement, so that both are of the same moment. Only hours are kept apart in the truth. */
const COMPARED = `SELECT 'truth' AS side, m.campaign_id, m.channel, m.delivered_at / ${HOUR_MS} AS hour, m.version, COALESCE(m.branch, '') AS branch,
    ${EVENT_COUNTS.join(', ')} FROM delivery_event e JOIN message m ON m.id = e.message_id
    WHERE m.is_test = 0 AND e.automated = 0 AND m.delivered_at IS NOT NULL
    GROUP BY m.campaign_id, m.channel, m.delivered_at / ${HOUR_MS}, m.version, COALESCE(m.branch, '')
  UNION ALL SELECT 'truth', campaign_id, channel, hour, version, branch, ${SUMS} FROM funnel_purged GROUP BY campaign_id, channel, hour, version, branch
  UNION ALL SELECT 'counted', campaign_id, channel, hour, version, branch, ${SUMS} FROM funnel GROUP BY campaign_id, channel, hour, version, branch`

export const funnelWrites = {
  /** Adds what the counters lack, unless another rebuild has done so since `seen`: false then. */
  async correctFunnel(context: WriteContext, corrections: Counter[], seen: string): Promise<boolean> {
    const taken = await context.sql.run('UPDATE meta SET value = ? WHERE name = ? AND value = ?', [
      String(Number(seen) + 1),
      REBUILDS,
      seen,
    ])
    if (taken > 0) await addCounts(context, corrections)
    return taken > 0
  },
  async numberRebuilds(context: WriteContext): Promise<void> {
    await context.sql.run(`INSERT INTO meta (name, value) VALUES (?, '0') ON CONFLICT (name) DO NOTHING`, [REBUILDS])
  },
}
/** How many rebuilds there were. */
const REBUILDS = 'funnel_rebuilds'

export function createFunnels(sql: Sql, writes: Writes<typeof funnelWrites>): Funnels {
  return {
    async slices(campaignId, channel, since) {
      if (since === null) return [...(await sumHours(sql, [campaignId, channel, ALL_TIME, ALL_TIME])).values()]
      const last = await sql.one<{ hour: number }>(LAST_HOUR, [campaignId, channel])
      const sums = new Map<string, FunnelSlice>()
      let from = Math.max(0, Math.floor(since / HOUR_MS))
      while (from <= (last?.hour ?? ALL_TIME)) {
        for (const [key, part] of await sumHours(sql, [campaignId, channel, from, from + HOURS_A_TURN - 1])) {
          const sum = sums.get(key)
          if (sum === undefined) sums.set(key, part)
          else for (const step of STEPS) sum[step] += part[step]
        }
        from += HOURS_A_TURN
        await setImmediate()
      }
      return [...sums.values()].sort((a, b) => a.version - b.version || compareBranches(a.branch, b.branch))
    },
    rebuild: () => rebuild(sql, writes),
  }
}

const STEPS = ['delivery', 'read', 'opened', 'clicked'] as const
/** Hours are summed on the main thread on SQLite: so many at once hold others up for a millisecond or two, whatever the window is. */
const HOURS_A_TURN = 7 * 24
/** In the order of the key: of MAX a planner that does not know the table yet reads every hour. */
const LAST_HOUR = `SELECT hour FROM funnel WHERE campaign_id = ? AND channel = ?
  ORDER BY campaign_id DESC, channel DESC, hour DESC LIMIT 1`
const SUM_HOURS = `SELECT version, branch, ${SUMS} FROM funnel WHERE campaign_id = ? AND channel = ? AND hour BETWEEN ? AND ?
  GROUP BY version, branch ORDER BY version, branch`

/** `span`: campaign, channel, first and last hour. An hour belongs to one span alone, so that spans may be of different moments. */
async function sumHours(sql: Sql, span: [number, Channel, number, number]): Promise<Map<string, FunnelSlice>> {
  const rows = await sql.all<CounterRow>(SUM_HOURS, span)
  return new Map(
    rows.map(({ version, branch, delivery, read, opened, clicked }) => [
      `${version}:${branch}`,
      { version, branch: branch === '' ? null : branch, delivery, read, opened, clicked },
    ]),
  )
}

/** Messages before any branch first, then by name. */
const compareBranches = (a: string | null, b: string | null) => ((a ?? '') < (b ?? '') ? -1 : a === b ? 0 : 1)

/**
 * Reads beside the writer, then adds the differences: events that are counted meanwhile are in neither side, and stay
 * right. Two rebuilds at once would correct twice, so the second one reads again.
 */
async function rebuild(sql: Sql, writes: Writes<typeof funnelWrites>): ReturnType<Funnels['rebuild']> {
  for (;;) {
    const seen = await sql.one<{ value: string }>('SELECT value FROM meta WHERE name = ?', [REBUILDS])
    if (seen === undefined) {
      await writes.numberRebuilds()
      continue
    }
    const { counters, corrections } = await compare(sql)
    if (await writes.correctFunnel(corrections, seen.value)) return { counters, differed: corrections.length }
  }
}

async function compare(sql: Sql): Promise<{ counters: number; corrections: Counter[] }> {
  const lacking = new Map<string, Counter>()
  for (const { side, ...row } of await sql.all<CounterRow & { side: 'truth' | 'counted' }>(COMPARED)) {
    const counter = toCounter(row)
    addInto(lacking, counter, side === 'truth' ? 1 : -1)
    if (side === 'truth') addInto(lacking, { ...counter, hour: ALL_TIME }, 1)
  }
  const differs = (c: Counter) => c.delivery !== 0 || c.read !== 0 || c.opened !== 0 || c.clicked !== 0
  return { counters: lacking.size, corrections: [...lacking.values()].filter(differs) }
}

function addInto(counters: Map<string, Counter>, counter: Counter, sign: 1 | -1): void {
  const { campaignId, channel, hour, version, branch } = counter
  const key = JSON.stringify([campaignId, channel, hour, version, branch])
  const sum = counters.get(key) ?? { ...counter, delivery: 0, read: 0, opened: 0, clicked: 0 }
  for (const step of STEPS) sum[step] += sign * counter[step]
  counters.set(key, sum)
}

function toCounter({ campaign_id: campaignId, ...row }: CounterRow): Counter {
  return { campaignId, ...row }
}
