// Stores what mails wait for: permits of their integration, issued at its rate, or the end of a campaign's pause. A mail
// that waits is a row of `mail` that is not due.

import type { HeldMails } from '../../domain/mail/held-mail.ts'
import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import { MAIL_INTEGRATION } from '../tables/mail-integration.ts'
import { ITEM_OF_MESSAGE } from '../tables/message.ts'
import { type RowOf, view } from '../tables/table.ts'
import { isOpen } from './closed.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

/** Permits of so long (ms) are issued at once: after a pause, and by a node that was late. */
const BURST_MS = 500
/** The waiting mails of an integration that are looked at together. */
const AT_ONCE = 1000
/** Mails of a campaign that are released in one statement; more wait for the next one. */
const RELEASED_AT_ONCE = 10_000

const AWAITED = view(MAIL_INTEGRATION, 'i', ['nextPermitAt', 'closedUntil'])
const RATED = view(MAIL_INTEGRATION, '', ['maxPer1000s', 'nextPermitAt', 'closedUntil'])
type Permit = RowOf<typeof AWAITED>
/** The primary key of an integration. */
type IntegrationKey = Pick<MailIntegration, 'environmentId' | 'id'>

const isFree = ({ nextPermitAt: next, closedUntil: closed }: Permit, at: number) =>
  (next ?? 0) <= at && (closed ?? 0) <= at

/** Goes along the index from integration to integration. A waiting mail has the environment of its integration. */
const LIST_AWAITED = `WITH RECURSIVE awaited (id) AS (
    SELECT MIN(permit_from) FROM mail WHERE due_at IS NULL AND permit_from IS NOT NULL
    UNION ALL
    SELECT (SELECT MIN(x.permit_from) FROM mail x WHERE x.due_at IS NULL AND x.permit_from > awaited.id)
      FROM awaited WHERE awaited.id IS NOT NULL)
  SELECT a.id, a.environment_id AS "environmentId", ${AWAITED.columns} FROM (
    SELECT awaited.id, (SELECT x.environment_id FROM mail x WHERE x.due_at IS NULL AND x.permit_from = awaited.id LIMIT 1) AS environment_id
      FROM awaited WHERE awaited.id IS NOT NULL) AS a
    LEFT JOIN mail_integration i ON i.environment_id = a.environment_id AND i.id = a.id WHERE ${isOpen('a.environment_id')}`

/** Campaigns that mails wait for although they are not paused: a resume may come between a look at a mail and its change. */
const LIST_RESUMED = `WITH RECURSIVE held (id) AS (
    SELECT MIN(paused_campaign) FROM mail WHERE paused_campaign IS NOT NULL
    UNION ALL
    SELECT (SELECT MIN(x.paused_campaign) FROM mail x WHERE x.paused_campaign > held.id) FROM held WHERE held.id IS NOT NULL)
  SELECT h.id FROM (SELECT held.id, (SELECT x.environment_id FROM mail x WHERE x.paused_campaign = held.id LIMIT 1) AS environment_id
      FROM held WHERE held.id IS NOT NULL) AS h
    LEFT JOIN campaign c ON c.id = h.id AND c.environment_id = h.environment_id
    WHERE (c.status IS NULL OR c.status <> 'paused') AND ${isOpen('h.environment_id')}`
/** A claimed mail has another due time than its own. */
const releaseOf = (skipLocked: string) => `WITH chosen AS MATERIALIZED (
    SELECT environment_id, message_id FROM mail WHERE paused_campaign = ? AND due_at = ready_at ORDER BY message_id LIMIT ?${skipLocked})
  UPDATE mail SET due_at = ?, ready_at = ?, paused_campaign = NULL
    WHERE (environment_id, message_id) IN (SELECT environment_id, message_id FROM chosen)`

/** `goes`: 0 when its campaign does not let it be sent now, so that it needs no permit to be held or ended. */
const LIST_WAITING = `SELECT x.message_id, CASE WHEN i.is_test = 1 OR c.status IN ('active', 'draft') OR (c.status = 'archived' AND c.drains = 1)
      THEN 1 ELSE 0 END AS goes
    FROM mail x JOIN message m ON m.environment_id = x.environment_id AND m.id = x.message_id
      JOIN inbox_item i ON ${ITEM_OF_MESSAGE} LEFT JOIN campaign c ON c.environment_id = m.environment_id AND c.id = m.campaign_id
    WHERE x.permit_from = ? AND x.due_at IS NULL ORDER BY x.message_id LIMIT ?`

/** A report may have decided about the mail meanwhile. */
const MAKE_DUE = withRows(
  { environment_id: 'int', id: 'int', permit_from: 'int', at: 'int' },
  `UPDATE mail SET due_at = given.at, ready_at = given.at, permit_from = given.permit_from FROM given
    WHERE mail.environment_id = given.environment_id AND mail.message_id = given.id AND mail.due_at IS NULL AND mail.permit_from IS NOT NULL`,
)

export const heldMailWrites = {
  /** The integrations come in one order for all nodes. */
  async issueMailPermits({ sql, readNow }: WriteContext, integrations: IntegrationKey[], now: number): Promise<number> {
    const at = (await readNow?.(sql)) ?? now
    let issued = 0
    for (const key of integrations) issued += await issue(sql, key, at)
    return issued
  },
  async suspendMailPermits(
    { sql, readNow }: WriteContext,
    environmentId: number,
    id: number,
    now: number,
    forMs: number,
  ): Promise<void> {
    const until = ((await readNow?.(sql)) ?? now) + forMs
    await sql.run(
      `UPDATE mail_integration SET closed_until = ? WHERE environment_id = ? AND id = ? AND COALESCE(closed_until, 0) < ?`,
      [until, environmentId, id, until],
    )
  },
  async releaseResumedMails({ sql, readNow }: WriteContext, campaignIds: number[], now: number): Promise<number> {
    const at = (await readNow?.(sql)) ?? now
    let released = 0
    for (const id of campaignIds) released += await sql.run(releaseOf(sql.skipLocked), [id, RELEASED_AT_ONCE, at, at])
    return released
  },
}

async function issue(sql: Sql, { environmentId, id }: IntegrationKey, at: number): Promise<number> {
  // The lock makes the rate that of all nodes together.
  const row = await sql.one<RowOf<typeof RATED>>(
    `SELECT ${RATED.columns} FROM mail_integration WHERE environment_id = ? AND id = ?${sql.forUpdate}`,
    [environmentId, id],
  )
  if (row !== undefined && !isFree(row, at)) return 0
  const waiting = await sql.all<{ message_id: number; goes: number }>(LIST_WAITING, [id, AT_ONCE])
  const everyMs = row?.maxPer1000s == null ? null : 1_000_000 / row.maxPer1000s
  const from = Math.max(row?.nextPermitAt ?? 0, at - BURST_MS)
  const free = everyMs === null ? AT_ONCE : Math.floor((at - from) / everyMs) + 1
  const going = waiting.filter(({ goes }) => goes === 1).slice(0, free)
  const rows = [
    ...going.map(({ message_id: mail }) => [environmentId, mail, everyMs === null ? null : id, at]),
    ...waiting.filter(({ goes }) => goes === 0).map(({ message_id: mail }) => [environmentId, mail, null, at]),
  ]
  await sql.bulk(MAKE_DUE, rows)
  if (everyMs !== null && going.length > 0) {
    const next = Math.ceil(from + going.length * everyMs)
    const text = 'UPDATE mail_integration SET next_permit_at = ? WHERE environment_id = ? AND id = ?'
    await sql.run(text, [next, environmentId, id])
  }
  return rows.length
}

export function createHeldMails(
  sql: Sql,
  writes: Writes<typeof heldMailWrites>,
  readNow?: WriteContext['readNow'],
): HeldMails {
  return {
    async issuePermits(now) {
      // Read first, so that nothing is written while no permit is free.
      const awaited = await sql.all<Permit & IntegrationKey>(LIST_AWAITED)
      if (awaited.length === 0) return 0
      const at = (await readNow?.(sql)) ?? now
      const free = awaited.filter((row) => isFree(row, at)).map(({ environmentId, id }) => ({ environmentId, id }))
      return free.length === 0 ? 0 : writes.issueMailPermits(free, now)
    },
    suspendPermits: writes.suspendMailPermits,
    async releaseResumed(now) {
      const resumed = await sql.all<{ id: number }>(LIST_RESUMED)
      return resumed.length === 0
        ? 0
        : writes.releaseResumedMails(
            resumed.map(({ id }) => id),
            now,
          )
    },
  }
}
