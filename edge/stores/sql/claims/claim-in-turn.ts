// Claims due rows of a table under a lease, oldest first, with environments in turn.

import type { RawRow } from '../../tables/table.ts'
import { hasClosed } from '../closed.ts'
import type { Param, Sql } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { chosenColumns, claimableOf, type DueTable, queryTurns, turnParams, unionOf } from './due.ts'

/** The number of environments that share a claim when more rows are due than the limit. */
const MAX_ENVIRONMENTS = 8

interface Claiming {
  /** Rows due at or before this time (epoch ms). */
  at: number
  leaseMs: number
  limit: number
}

export interface DueRows {
  table: DueTable
  /** The number in the primary key, after the environment. */
  key: string
  /** What a claim changes besides `due_at`, as SQL. */
  set: string
  /** The columns that a claim returns, as SQL. */
  columns: string
  /** Which rows are claimed one at a time, as SQL: a process may have ended while it handled them. */
  suspect: string
  /** Size of what a claim returns for a row, as SQL, and the most for one claim; absent where all rows are small. */
  bytes?: { of: string; max: number }
}

export interface ClaimedRows {
  rows: RawRow[]
  /** The environment of the last turn, for the next claim. */
  after: number
  /** When the claim began (epoch ms), by the shared clock where there is one. */
  at: number
}

/** Claims due rows; `after` is the environment of the last turn. */
export type ClaimInTurn = (
  context: WriteContext,
  now: number,
  leaseMs: number,
  limit: number,
  after: number,
) => Promise<ClaimedRows>

/**
 * Creates the claim of a table's due rows. It takes all of them when they are within the limit. Otherwise the next
 * environments in turn get equal shares, and the oldest rows get the rest. So an environment with a million due rows
 * does not delay others.
 */
export function createClaimInTurn({ table, key, set, columns, suspect, bytes }: DueRows): ClaimInTurn {
  const columnsOfChosen = chosenColumns(key, suspect, bytes?.of)
  const claimable = claimableOf(key, bytes?.max)
  const due = 'due_at IS NOT NULL AND due_at <= ?'
  const inOrder = `ORDER BY due_at, ${key} LIMIT ?`
  const countDue = `SELECT COUNT(*) AS count FROM (SELECT ${key} FROM ${table} WHERE ${due} ${inOrder}) AS due`
  const oldest = `SELECT ${columnsOfChosen} FROM ${table} WHERE ${due} ${inOrder}`
  const oldestOfOne = `SELECT ${columnsOfChosen} FROM ${table} WHERE environment_id = ? AND ${due} ${inOrder}`
  const turnsOf = queryTurns(
    table,
    `SELECT w.${key} FROM ${table} w WHERE w.environment_id = t.environment_id AND w.due_at IS NOT NULL AND w.due_at <= ? ORDER BY w.due_at, w.${key} LIMIT 1`,
  )

  /** Returns the next environments that have due rows. */
  async function listTurns(sql: Sql, at: number, after: number): Promise<number[]> {
    const rows = await sql.all<{ environment_id: number }>(turnsOf, turnParams(after, [at], MAX_ENVIRONMENTS))
    return rows.map((row) => row.environment_id)
  }

  /**
   * Locks the chosen rows, and updates them with the oldest suspect among them. MATERIALIZED is needed: else a query plan may run the subquery again per row,
   * and exceed the limit.
   */
  function take(sql: Sql, { at, leaseMs }: Claiming, chosen: string, params: Param[]): Promise<RawRow[]> {
    return sql.all<RawRow>(
      `WITH chosen AS MATERIALIZED (${chosen})
        UPDATE ${table} SET due_at = ?, ${set} WHERE (environment_id, ${key}) IN (${claimable})
        RETURNING ${columns}`,
      [...params, at + leaseMs],
    )
  }

  const takeOldest = (sql: Sql, claiming: Claiming) =>
    take(sql, claiming, oldest + sql.skipLocked, [claiming.at, claiming.limit])

  return async ({ sql, readNow }, now, leaseMs, limit, after) => {
    const at = (await readNow?.(sql)) ?? now
    const claiming = { at, leaseMs, limit }
    // The oldest due rows may all be those of closed environments: only turns leave these out.
    const onlyInTurn = await hasClosed(sql)
    const found = onlyInTurn ? undefined : await sql.one<{ count: number }>(countDue, [at, limit + 1])
    const turns = onlyInTurn || Number(found?.count) > limit ? await listTurns(sql, at, after) : []
    if (onlyInTurn && turns.length === 0) return { rows: [], after, at }
    if (!onlyInTurn && turns.length < 2) return { rows: await takeOldest(sql, claiming), after: turns[0] ?? after, at }
    const share = Math.floor(limit / turns.length)
    const chosen = unionOf(turns.map(() => oldestOfOne + sql.skipLocked))
    const params = turns.flatMap((environmentId) => [environmentId, at, share])
    const rows = await take(sql, claiming, chosen, params)
    const left = limit - rows.length
    const rest = left === 0 || onlyInTurn ? [] : await takeOldest(sql, { ...claiming, limit: left })
    return { rows: [...rows, ...rest], after: turns.at(-1) ?? after, at }
  }
}
