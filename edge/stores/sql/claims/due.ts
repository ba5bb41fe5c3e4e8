// Finds due jobs, waits and mails: when the next one is due, and which environment has its turn.

import { isOpen } from '../closed.ts'
import type { Param, Sql } from '../sql.ts'

/** Tables with `due_at` and `environment_id`. */
export type DueTable = 'job' | 'run_wait' | 'mail'

/** All environments. */
const MAX_TURNS = Number.MAX_SAFE_INTEGER

/** @returns When the next row of an open environment is due (epoch ms); null when none waits. */
export async function nextDueAt(sql: Sql, table: DueTable): Promise<number | null> {
  const text = `SELECT environment_id, due_at FROM ${table} WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1`
  const first = await sql.one<{ environment_id: number; due_at: number }>(text)
  if (first === undefined || !(await isOfClosed(sql, first.environment_id))) return first?.due_at ?? null
  const found = `SELECT MIN(w.due_at) FROM ${table} w WHERE w.environment_id = t.environment_id AND w.due_at IS NOT NULL`
  return nextInTurn(sql, table, found, [])
}

/** @returns When the next row of an open environment is due, by a query `found` for the time of one; null when none waits. */
export async function nextInTurn(sql: Sql, table: DueTable, found: string, params: Param[]): Promise<number | null> {
  const text = `SELECT MIN(id) AS due_at FROM (${queryTurns(table, found)}) AS turns`
  return (await sql.one<{ due_at: number | null }>(text, turnParams(0, params, MAX_TURNS)))?.due_at ?? null
}

/** Returns whether an environment is closed. */
export async function isOfClosed(sql: Sql, environmentId: number): Promise<boolean> {
  const text = 'SELECT 1 AS one FROM environment WHERE id = ? AND closed_at IS NOT NULL'
  return (await sql.one(text, [environmentId])) !== undefined
}

/** Returns whether the next row is due: by the caller's clock, or else by the shared clock of several nodes. */
export async function isDue(
  next: number | null,
  now: number,
  readShared: (() => Promise<number>) | undefined,
): Promise<boolean> {
  if (next === null) return false
  return next <= now || (readShared !== undefined && next <= (await readShared()))
}

/**
 * Uses the shared clock when there is one, because a node's own clock may be ahead or behind.
 * @returns The time until `next` (ms); null when nothing waits.
 */
export async function dueInMs(
  next: number | null,
  now: number,
  readShared: (() => Promise<number>) | undefined,
): Promise<number | null> {
  return next === null ? null : next - ((await readShared?.()) ?? now)
}

/**
 * Builds a query that goes along an index from environment to environment, without reading all rows of one.
 * @param found A scalar query about `t.environment_id`; environments for which it returns null, and closed ones, are skipped.
 */
export function queryTurns(table: DueTable, found: string): string {
  const later = `FROM ${table} d WHERE d.due_at IS NOT NULL AND d.environment_id > t.environment_id`
  return `WITH RECURSIVE turn (environment_id, wrapped, is_start) AS (
    SELECT CAST(? AS BIGINT), 0, 1
    UNION ALL
    SELECT COALESCE((SELECT MIN(d.environment_id) ${later}), -1), CASE WHEN EXISTS (SELECT 1 ${later}) THEN t.wrapped ELSE 1 END, 0
    FROM turn t WHERE t.wrapped = 0 OR EXISTS (SELECT 1 ${later} AND d.environment_id <= ?))
  SELECT environment_id, id FROM (SELECT t.environment_id, (${found}) AS id FROM turn t WHERE t.is_start = 0) AS found
    WHERE id IS NOT NULL AND ${isOpen('environment_id')} LIMIT ?`
}

/** @returns The columns of a query `chosen`, from which `claimableOf` selects. `suspect` is a condition, `bytes` a size, as SQL. */
export function chosenColumns(key: string, suspect: string, bytes = '0'): string {
  return `environment_id, ${key}, due_at, CASE WHEN ${suspect} THEN 1 ELSE 0 END AS is_suspect, ${bytes} AS bytes`
}

/**
 * @returns A query for the keys (environment and `key`) of the rows of `chosen` that are claimed together: of those that
 * a process may have ended with the oldest alone, so that its next end interrupts no other. `maxBytes`: only the first
 * rows, which have no more than that in all, and at least one.
 */
export function claimableOf(key: string, maxBytes?: number): string {
  const isOldest = `${key} = (SELECT ${key} FROM chosen WHERE is_suspect = 1 ORDER BY due_at, ${key} LIMIT 1)`
  const before = `SUM(bytes) OVER (PARTITION BY is_suspect ORDER BY due_at, ${key} ROWS UNBOUNDED PRECEDING) - bytes AS before`
  // One query: SQLite finds no rows by a key in the rows of a union.
  return maxBytes === undefined
    ? `SELECT environment_id, ${key} FROM chosen WHERE is_suspect = 0 OR ${isOldest}`
    : `SELECT environment_id, ${key} FROM (SELECT environment_id, ${key}, is_suspect, ${before} FROM chosen) AS sized
        WHERE (is_suspect = 0 AND before < ${maxBytes}) OR ${isOldest}`
}

/** Returns the parameters of `queryTurns`. `after` is the environment of the last turn, `params` belong to `found`. */
export function turnParams(after: number, params: Param[], limit: number): Param[] {
  return [after, after, ...params, limit]
}

/**
 * Joins queries with UNION ALL. Each part uses the order of its index up to its limit, which one query with OR cannot.
 */
export function unionOf(parts: string[]): string {
  return parts.map((part, place) => `SELECT * FROM (${part}) AS part${place}`).join(' UNION ALL ')
}
