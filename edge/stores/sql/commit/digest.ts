// Decides digest windows: the first run of a window waits, later runs join it. One conditional statement on a unique
// row decides.

import type { DigestGate } from '../../../domain/plan.ts'
import { insertRows, type Param, type Sql, withRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import type { Asked } from './recipients.ts'

/** The maximum event bytes of one digest: a window with so many is full, whatever its number of events. */
const MOST_BYTES = 4 * 1024 * 1024

const WINDOW_COLUMNS = {
  user_no: 'int',
  campaign_id: 'int',
  version: 'int',
  step_id: 'text',
  digest_key: 'text',
  environment_id: 'int',
  run_id: 'int',
  opened_at: 'int',
  closes_at: 'int',
  events: 'int',
  event_bytes: 'int',
  most: 'int',
} as const

const OPEN = `digest_window.closes_at > excluded.opened_at AND digest_window.events < excluded.most AND digest_window.event_bytes < ${MOST_BYTES}`
const kept = (column: string) =>
  `${column} = CASE WHEN ${OPEN} THEN digest_window.${column} ELSE excluded.${column} END`
const added = (column: string) =>
  `${column} = excluded.${column} + CASE WHEN ${OPEN} THEN digest_window.${column} ELSE 0 END`

/** Adds to an open window, replaces an ended or full one, or opens the first. Returns the owner of the window. */
const TAKE_WINDOWS = insertRows(
  'digest_window',
  WINDOW_COLUMNS,
  `ON CONFLICT (user_no, campaign_id, version, step_id, digest_key) DO UPDATE SET
    ${['run_id', 'opened_at', 'closes_at'].map(kept).join(', ')}, ${['events', 'event_bytes'].map(added).join(', ')}, most = excluded.most
    RETURNING user_no, campaign_id, version, step_id, digest_key, run_id, events, event_bytes`,
)
/** Writes the last window when a batch filled more than one. The statement above has locked the row. */
const PUT_WINDOWS = insertRows(
  'digest_window',
  WINDOW_COLUMNS,
  `ON CONFLICT (user_no, campaign_id, version, step_id, digest_key) DO UPDATE SET run_id = excluded.run_id,
    opened_at = excluded.opened_at, closes_at = excluded.closes_at, events = excluded.events, event_bytes = excluded.event_bytes`,
)
const INSERT_EVENTS = insertRows('digest_event', {
  run_id: 'int',
  place: 'int',
  event_id: 'int',
  joined_run_id: 'int',
  environment_id: 'int',
})
/** Makes a wait due. One that a worker has claimed is left: it closes the window anyway. */
const HURRY = withRows(
  { run_id: 'int', step_id: 'text', at: 'int' },
  `UPDATE run_wait SET due_at = given.at, timer_at = given.at FROM given
    WHERE run_wait.run_id = given.run_id AND run_wait.step_id = given.step_id AND run_wait.attempts = 0 AND run_wait.due_at > given.at`,
)

interface WindowRow {
  user_no: number
  campaign_id: number
  version: number
  step_id: string
  digest_key: string
  run_id: number
  events: number
  event_bytes: number
}

/** A window that a batch fills. `first` is null when the window was open before. */
interface Filling {
  runId: number
  events: number
  eventBytes: number
  first: Asked<DigestGate> | null
}

export interface Digested {
  /** The gates that join a window, with the run that owns it: their own runs do not wait. */
  joined: ReadonlyMap<DigestGate, number>
  /** The gates that fill a window: its run is due at once. */
  filling: ReadonlySet<DigestGate>
  /** Makes the runs of full windows due; call it after the waits of the batch are written. */
  hurry(sql: Sql): Promise<void>
}

const NOTHING: Digested = { joined: new Map(), filling: new Set(), hurry: async () => {} }

/** Decides the gates in order, and writes a row for each event. */
export async function gatherDigests(context: WriteContext, asked: Asked<DigestGate>[]): Promise<Digested> {
  if (asked.length === 0) return NOTHING
  const byRow = new Map<string, Asked<DigestGate>[]>()
  for (const one of asked) {
    const key = keyOfGate(one)
    const same = byRow.get(key)
    if (same === undefined) byRow.set(key, [one])
    else same.push(one)
  }
  // Sorted, so that two nodes take their rows in one order.
  const wanted = [...byRow.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
  const taken = await context.sql.bulk<WindowRow>(
    TAKE_WINDOWS,
    wanted.map(([, same]) => windowRow(context.now, same[0] as Asked<DigestGate>, same.length, bytesOf(same))),
  )
  const standing = new Map(taken.map((row) => [keyOfRow(row), row]))
  const joined = new Map<DigestGate, number>()
  const children: Param[][] = []
  const full = new Map<DigestGate, Param[]>()
  const outgrown: Param[][] = []
  for (const [key, same] of wanted) {
    const row = standing.get(key)
    if (row === undefined) throw new Error('A digest has no window.')
    const last = fill(context.now, row, same, { joined, children, full })
    if (last.runId !== row.run_id && last.first !== null) {
      outgrown.push(windowRow(context.now, last.first, last.events, last.eventBytes))
    }
  }
  await context.sql.bulk(PUT_WINDOWS, outgrown)
  await context.sql.bulk(INSERT_EVENTS, children)
  const { now } = context
  return {
    joined,
    filling: new Set(full.keys()),
    hurry: async (sql) => {
      if (full.size > 0) {
        await sql.bulk(
          HURRY,
          [...full.values()].map((row) => [...row, now]),
        )
      }
    },
  }
}

/**
 * Adds the gates to windows in order. A full window is followed by a new one, whose first run waits.
 * @returns The last window.
 */
function fill(
  now: number,
  row: WindowRow,
  same: Asked<DigestGate>[],
  into: { joined: Map<DigestGate, number>; children: Param[][]; full: Map<DigestGate, Param[]> },
): Filling {
  const [first] = same as [Asked<DigestGate>, ...Asked<DigestGate>[]]
  const isOurs = row.run_id === first.gate.runId
  let filling: Filling = {
    runId: row.run_id,
    events: isOurs ? 0 : row.events - same.length,
    eventBytes: isOurs ? 0 : row.event_bytes - bytesOf(same),
    first: isOurs ? first : null,
  }
  for (const one of same) {
    const { gate, environmentId } = one
    // A late plan may open a window whose time is over: no run joins it.
    const isOver = filling.events > 0 && filling.first !== null && filling.first.gate.closesAt <= now
    if (isOver || isFull(filling, gate.max)) {
      filling = { runId: gate.runId, events: 0, eventBytes: 0, first: one }
    }
    if (filling.runId !== gate.runId) into.joined.set(gate, filling.runId)
    filling.events++
    filling.eventBytes += gate.eventBytes
    into.children.push([filling.runId, filling.events, gate.eventId, gate.runId, environmentId])
    if (isFull(filling, gate.max)) into.full.set(gate, [filling.runId, gate.stepId])
  }
  return filling
}

function isFull({ events, eventBytes }: Filling, max: number): boolean {
  return events >= max || eventBytes >= MOST_BYTES
}

function windowRow(now: number, { gate, userNo, environmentId }: Asked<DigestGate>, events: number, bytes: number) {
  const { campaignId, version, stepId, key, runId, closesAt, max } = gate
  return [userNo, campaignId, version, stepId, key, environmentId, runId, now, closesAt, events, bytes, max]
}

function bytesOf(same: Asked<DigestGate>[]): number {
  return same.reduce((sum, { gate }) => sum + gate.eventBytes, 0)
}

function keyOfGate({ gate, userNo }: Asked<DigestGate>): string {
  return JSON.stringify([userNo, gate.campaignId, gate.version, gate.stepId, gate.key])
}

function keyOfRow(row: WindowRow): string {
  return JSON.stringify([row.user_no, row.campaign_id, row.version, row.step_id, row.digest_key])
}
