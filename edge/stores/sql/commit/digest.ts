// Decides digest windows by one conditional upsert of a unique row. The first run of a window waits, later runs join.

import type { DigestGate } from '../../../domain/plan.ts'
import { insertRows, type Param, type Sql, withRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import type { UserGate } from './recipients.ts'

/** The maximum event bytes of one digest: a window with this many is full, whatever its number of events. */
const MAX_BYTES = 4 * 1024 * 1024

const WINDOW_COLUMNS = {
  environment_id: 'int',
  user_no: 'int',
  campaign_id: 'int',
  version: 'int',
  step_id: 'text',
  digest_key: 'text',
  run_id: 'int',
  opened_at: 'int',
  closes_at: 'int',
  events: 'int',
  event_bytes: 'int',
  most: 'int',
} as const

const IS_OPEN = `digest_window.closes_at > excluded.opened_at AND digest_window.events < excluded.most AND digest_window.event_bytes < ${MAX_BYTES}`
const keptIfOpen = (column: string) =>
  `${column} = CASE WHEN ${IS_OPEN} THEN digest_window.${column} ELSE excluded.${column} END`
const addedIfOpen = (column: string) =>
  `${column} = excluded.${column} + CASE WHEN ${IS_OPEN} THEN digest_window.${column} ELSE 0 END`

/** Adds to an open window, replaces an ended or full one, or opens the first. Returns the run that owns it. */
const TAKE_WINDOWS = insertRows(
  'digest_window',
  WINDOW_COLUMNS,
  `ON CONFLICT (environment_id, user_no, campaign_id, version, step_id, digest_key) DO UPDATE SET
    ${['run_id', 'opened_at', 'closes_at'].map(keptIfOpen).join(', ')}, ${['events', 'event_bytes'].map(addedIfOpen).join(', ')}, most = excluded.most
    RETURNING user_no, campaign_id, version, step_id, digest_key, run_id, events, event_bytes`,
)
/** Writes the last window when a batch filled more than one. `TAKE_WINDOWS` has locked the row. */
const PUT_WINDOWS = insertRows(
  'digest_window',
  WINDOW_COLUMNS,
  `ON CONFLICT (environment_id, user_no, campaign_id, version, step_id, digest_key) DO UPDATE SET run_id = excluded.run_id,
    opened_at = excluded.opened_at, closes_at = excluded.closes_at, events = excluded.events, event_bytes = excluded.event_bytes`,
)
const INSERT_EVENTS = insertRows('digest_event', {
  environment_id: 'int',
  run_id: 'int',
  place: 'int',
  event_id: 'int',
  joined_run_id: 'int',
})
/** Makes a wait due, unless a worker has claimed it: that worker closes the window anyway. */
const MAKE_DUE = withRows(
  { environment_id: 'int', run_id: 'int', step_id: 'text', at: 'int' },
  `UPDATE run_wait SET due_at = given.at, timer_at = given.at FROM given
    WHERE run_wait.environment_id = given.environment_id AND run_wait.run_id = given.run_id
      AND run_wait.step_id = given.step_id AND run_wait.attempts = 0 AND run_wait.due_at > given.at`,
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

/** A window during the batch. `first` is the gate that opened it; null when it was open before the batch. */
interface OpenWindow {
  runId: number
  events: number
  eventBytes: number
  first: UserGate<DigestGate> | null
}

export interface Digested {
  /** The gates that join a window, with the run that owns it. Their own runs do not wait. */
  joined: ReadonlyMap<DigestGate, number>
  /** The gates whose event makes a window full, so that its run is due at once. */
  completing: ReadonlySet<DigestGate>
  /** Makes the runs of full windows due; call it after the waits of the batch are written. */
  makeDue(sql: Sql): Promise<void>
}

const NOTHING: Digested = { joined: new Map(), completing: new Set(), makeDue: async () => {} }

/** Decides the gates in order, and writes a row for each event. */
export async function gatherDigests(context: WriteContext, gates: UserGate<DigestGate>[]): Promise<Digested> {
  if (gates.length === 0) return NOTHING
  const byRow = new Map<string, UserGate<DigestGate>[]>()
  for (const one of gates) {
    const key = keyOfGate(one)
    const same = byRow.get(key)
    if (same === undefined) byRow.set(key, [one])
    else same.push(one)
  }
  // Sorted, so that two nodes lock rows in one order.
  const wanted = [...byRow.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
  const taken = await context.sql.bulk<WindowRow>(
    TAKE_WINDOWS,
    wanted.map(([, same]) => windowRow(context.now, same[0] as UserGate<DigestGate>, same.length, bytesOf(same))),
  )
  const windows = new Map(taken.map((row) => [keyOfRow(row), row]))
  const joined = new Map<DigestGate, number>()
  const eventRows: Param[][] = []
  const full = new Map<DigestGate, Param[]>()
  const lastWindows: Param[][] = []
  for (const [key, same] of wanted) {
    const row = windows.get(key)
    if (row === undefined) throw new Error('digest window missing after its upsert')
    const last = fill(context.now, row, same, { joined, eventRows, full })
    if (last.runId !== row.run_id && last.first !== null) {
      lastWindows.push(windowRow(context.now, last.first, last.events, last.eventBytes))
    }
  }
  await context.sql.bulk(PUT_WINDOWS, lastWindows)
  await context.sql.bulk(INSERT_EVENTS, eventRows)
  const { now } = context
  return {
    joined,
    completing: new Set(full.keys()),
    makeDue: async (sql) => {
      if (full.size > 0) {
        await sql.bulk(
          MAKE_DUE,
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
  same: UserGate<DigestGate>[],
  into: { joined: Map<DigestGate, number>; eventRows: Param[][]; full: Map<DigestGate, Param[]> },
): OpenWindow {
  const [first] = same as [UserGate<DigestGate>, ...UserGate<DigestGate>[]]
  const isNew = row.run_id === first.gate.runId
  let open: OpenWindow = {
    runId: row.run_id,
    events: isNew ? 0 : row.events - same.length,
    eventBytes: isNew ? 0 : row.event_bytes - bytesOf(same),
    first: isNew ? first : null,
  }
  for (const one of same) {
    const { gate, environmentId } = one
    // A late plan may open a window that has already ended: no run joins it.
    const isOver = open.events > 0 && open.first !== null && open.first.gate.closesAt <= now
    if (isOver || isFull(open, gate.max)) {
      open = { runId: gate.runId, events: 0, eventBytes: 0, first: one }
    }
    if (open.runId !== gate.runId) into.joined.set(gate, open.runId)
    open.events++
    open.eventBytes += gate.eventBytes
    into.eventRows.push([environmentId, open.runId, open.events, gate.eventId, gate.runId])
    if (isFull(open, gate.max)) into.full.set(gate, [environmentId, open.runId, gate.stepId])
  }
  return open
}

function isFull({ events, eventBytes }: OpenWindow, max: number): boolean {
  return events >= max || eventBytes >= MAX_BYTES
}

function windowRow(now: number, { gate, userNo, environmentId }: UserGate<DigestGate>, events: number, bytes: number) {
  const { campaignId, version, stepId, key, runId, closesAt, max } = gate
  return [environmentId, userNo, campaignId, version, stepId, key, runId, now, closesAt, events, bytes, max]
}

function bytesOf(same: UserGate<DigestGate>[]): number {
  return same.reduce((sum, { gate }) => sum + gate.eventBytes, 0)
}

function keyOfGate({ gate, userNo }: UserGate<DigestGate>): string {
  return JSON.stringify([userNo, gate.campaignId, gate.version, gate.stepId, gate.key])
}

function keyOfRow(row: WindowRow): string {
  return JSON.stringify([row.user_no, row.campaign_id, row.version, row.step_id, row.digest_key])
}
