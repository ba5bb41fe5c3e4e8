// What is due, in jobs and in waits of runs: when the next is, and whose turn it is (house section 3, fairness).

import type { Param, Sql } from '../sql.ts'

type DueTable = 'job' | 'run_wait'

/** When the next row is due; null when none waits. */
export async function nextDueAt(sql: Sql, table: DueTable): Promise<number | null> {
  const text = `SELECT due_at FROM ${table} WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1`
  return (await sql.one<{ due_at: number }>(text))?.due_at ?? null
}

/** Whether the next row is due: by the caller's clock or, where several nodes share one, by that; it is asked only where the caller's says no. */
export async function isDue(
  next: number | null,
  now: number,
  readShared: (() => Promise<number>) | undefined,
): Promise<boolean> {
  if (next === null) return false
  return next <= now || (readShared !== undefined && next <= (await readShared()))
}

/** In how many ms what is due at `next` is so, by the clock that claims go by: a node's own may be ahead of that, or behind. */
export async function dueInMs(
  next: number | null,
  now: number,
  readShared: (() => Promise<number>) | undefined,
): Promise<number | null> {
  return next === null ? null : next - ((await readShared?.()) ?? now)
}

/**
 * Environments with rows in the order of their turns, each with what `found` finds of it (null: passed over). Walks an index
 * from environment to environment, never along one's rows. `found` is a scalar query about `t.environment_id`.
 */
export function walkTurns(table: DueTable, found: string): string {
  const behind = `FROM ${table} d WHERE d.due_at IS NOT NULL AND d.environment_id > t.environment_id`
  return `WITH RECURSIVE turn (environment_id, wrapped, is_start) AS (
    SELECT CAST(? AS BIGINT), 0, 1
    UNION ALL
    SELECT COALESCE((SELECT MIN(d.environment_id) ${behind}), -1), CASE WHEN EXISTS (SELECT 1 ${behind}) THEN t.wrapped ELSE 1 END, 0
    FROM turn t WHERE t.wrapped = 0 OR EXISTS (SELECT 1 ${behind} AND d.environment_id <= ?))
  SELECT environment_id, id FROM (SELECT t.environment_id, (${found}) AS id FROM turn t WHERE t.is_start = 0) AS found
    WHERE id IS NOT NULL LIMIT ?`
}

/** `after`: the environment that had its turn last; `params`: those of `found`. */
export function turnParams(after: number, params: Param[], limit: number): Param[] {
  return [after, after, ...params, limit]
}

/** The parts behind each other, each with its own order and limit: that of an index, which a condition over several of them has not. */
export function unionOf(parts: string[]): string {
  return parts.map((part, place) => `SELECT * FROM (${part}) AS part${place}`).join(' UNION ALL ')
}
