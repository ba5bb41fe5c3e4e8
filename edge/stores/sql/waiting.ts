// Reads how many mails, runs and jobs wait though their time has come, and since when.

import type { ClaimKind } from '../../domain/in-hand.ts'
import type { Waitings, WaitingWork } from '../../domain/waiting.ts'
import { unionOf } from './claims/due.ts'
import { isOpen } from './closed.ts'
import type { Sql } from './sql.ts'

/** Of each part only so many are read, those that are due first. */
const MOST = 1000

/** `since`: when its time came at first. An attempt that failed moves `due_at`, and not this. */
const PARTS: Record<ClaimKind, string[]> = {
  run: [
    `SELECT CASE WHEN timer_at < due_at THEN timer_at ELSE due_at END AS since, error, 0 AS is_held
    FROM run_wait WHERE due_at IS NOT NULL AND ${isOpen('environment_id')} ORDER BY due_at LIMIT ${MOST}`,
  ],
  // A job without an error may be a later part of a long one.
  job: [
    `SELECT CASE WHEN error IS NULL THEN run_at ELSE created_at END AS since, error, 0 AS is_held
    FROM job WHERE due_at IS NOT NULL AND ${isOpen('environment_id')} ORDER BY due_at LIMIT ${MOST}`,
  ],
  // Mails of a paused campaign are held; those that have no permit of their provider yet are not due.
  mail: ['due_at IS NOT NULL ORDER BY due_at', 'due_at IS NULL AND permit_from IS NOT NULL ORDER BY permit_from'].map(
    (chosen) => `SELECT COALESCE(first_attempt_at, ready_at) AS since, last_error AS error,
      CASE WHEN paused_campaign IS NULL THEN 0 ELSE 1 END AS is_held FROM mail WHERE ${isOpen('environment_id')} AND ${chosen} LIMIT ${MOST}`,
  ),
}
const READ = Object.entries(PARTS).map(
  ([kind, parts]) =>
    [
      kind as ClaimKind,
      `WITH found AS (SELECT since, error FROM (${unionOf(parts)}) AS parts
    WHERE since <= ? AND is_held = 0)
    SELECT COUNT(*) AS count, MIN(since) AS since,
      (SELECT error FROM found WHERE error IS NOT NULL ORDER BY since LIMIT 1) AS error FROM found`,
    ] as const,
)

interface WaitingRow {
  count: number
  since: number | null
  error: string | null
}

export function createWaitings(sql: Sql): Waitings {
  return {
    async read(now) {
      const read = async ([kind, text]: (typeof READ)[number]): Promise<[ClaimKind, WaitingWork]> => {
        const row = await sql.one<WaitingRow>(text, [now])
        const since = row?.since ?? null
        const oldestMs = since === null ? 0 : now - Number(since)
        return [kind, { count: Math.min(Number(row?.count ?? 0), MOST), oldestMs, error: row?.error ?? null }]
      }
      return Object.fromEntries(await Promise.all(READ.map(read))) as Record<ClaimKind, WaitingWork>
    },
  }
}
