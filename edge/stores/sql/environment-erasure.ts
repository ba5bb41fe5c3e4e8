// Deletes environments: hides one at once, then removes all its rows in small steps that a crash may interrupt.

import type { EnvironmentContents } from '../../../contract/resources/environment.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { ClosedFor, ErasureStep, RemovedEnvironment } from '../../domain/environment.ts'
import { formatId } from '../../lib/id.ts'
import { ENVIRONMENT_ERASURE } from '../tables/environment.ts'
import { insertOne } from '../tables/table.ts'
import { recordAudit } from './audit.ts'
import { ENVIRONMENT_PARTS, readSlice, removeRows } from './environment-parts.ts'
import { raiseErasures } from './erasure.ts'
import { lockOwner } from './revision.ts'
import { type Sql, withRows } from './sql.ts'
import { ERASED, isAboutUsers } from './user-audit.ts'
import type { WriteContext } from './write.ts'

/** Rows of one transaction. */
const STEP_ROWS = 500
/** Rows that are removed together. */
const SLICE_ROWS = 100
/** Calls and jobs that were under way when the environment was deleted have ended by then; what they wrote is removed. */
const LATE_MS = 60 * 60 * 1000
/** Counting further rows takes long, and tells nobody more. */
const MOST_COUNTED = 1_000_000

/** Why an environment is closed that need not stay, although it is the only one. */
const MAY_BE_LAST: ReadonlySet<string> = new Set<ClosedFor>(['exported', 'import'])

const BEGIN = insertOne(ENVIRONMENT_ERASURE)

export const environmentErasureWrites = {
  /** Keys, sessions and sources are refused from now on, as they find no environment. */
  async removeEnvironment(
    context: WriteContext,
    { id, organisationId, revision }: { id: number; organisationId: number; revision: number },
    audit: AuditEntry,
  ): Promise<RemovedEnvironment> {
    const { sql } = context
    // Of two callers at once, the second finds one environment less.
    await lockOwner(context, 'organisation', organisationId)
    const all = await sql.all<{ id: number; closed_for: string | null }>(
      'SELECT id, closed_for FROM environment WHERE organisation_id = ?',
      [organisationId],
    )
    // One that was moved, or imported in part, leaves its organisation all the same.
    const closedFor = all.find((one) => one.id === id)?.closed_for ?? ''
    if (all.length === 1 && all[0]?.id === id && !MAY_BE_LAST.has(closedFor)) return 'last'
    const text = 'DELETE FROM environment WHERE organisation_id = ? AND id = ? AND revision = ?'
    if ((await sql.run(text, [organisationId, id, revision])) === 0) return 'changed'
    await sql.run('DELETE FROM secret WHERE environment_id = ?', [id])
    // Nothing was under way when it was exported, and it may come back as soon as its rows are gone.
    await BEGIN(sql, { environmentId: id, begunAt: closedFor === 'exported' ? audit.at - LATE_MS - 1 : audit.at })
    await recordAudit(context, audit)
    return 'removed'
  },

  /** Removes a bounded number of the remaining rows. One node at a time works on an environment. */
  async eraseEnvironmentStep(context: WriteContext, environmentId: number, now: number): Promise<ErasureStep> {
    const { sql, users } = context
    const erasure = await sql.one<{ begun_at: number }>(
      `SELECT begun_at FROM environment_erasure WHERE environment_id = ?${sql.skipLocked}`,
      [environmentId],
    )
    if (erasure === undefined) return 'nothing-left'
    let budget = STEP_ROWS
    for (const part of ENVIRONMENT_PARTS) {
      for (;;) {
        const rows = await readSlice(sql, part, environmentId, SLICE_ROWS)
        if (rows.length === 0) break
        await removeRows(sql, part, rows)
        if (part.name === 'app_user') {
          for (const row of rows) users.forget(environmentId, String(row.user_id))
          // Last, in the order of locks.
          await raiseErasures(context)
          return 'more'
        }
        budget -= rows.length
        if (budget <= 0) return 'more'
      }
    }
    if (await detachAudit(sql, environmentId)) return 'more'
    if (erasure.begun_at < now - LATE_MS) {
      await sql.run('DELETE FROM environment_erasure WHERE environment_id = ?', [environmentId])
    }
    return 'nothing-left'
  },
}

export function createEnvironmentErasures(sql: Sql) {
  return {
    async listErasures(): Promise<number[]> {
      const text = 'SELECT environment_id FROM environment_erasure ORDER BY environment_id'
      return (await sql.all<{ environment_id: number }>(text)).map((row) => row.environment_id)
    },
    async countContents(environmentId: number): Promise<EnvironmentContents> {
      const count = async (table: string) => {
        const text = `SELECT COUNT(*) AS count FROM (SELECT 1 FROM ${table} WHERE environment_id = ? LIMIT ?) AS counted`
        const row = await sql.one<{ count: number }>(text, [environmentId, MOST_COUNTED])
        return Number(row?.count ?? 0)
      }
      const [users, messages, campaigns] = await Promise.all(['app_user', 'message', 'campaign'].map(count))
      return { users: users ?? 0, messages: messages ?? 0, campaigns: campaigns ?? 0 }
    },
  }
}

const DETACH = withRows(
  { number: 'int', subject: 'text', detail: 'text' },
  `UPDATE audit_entry SET environment_id = NULL, subject = given.subject, detail = given.detail
    FROM given WHERE audit_entry.number = given.number`,
)

/** The log of the organisation keeps what was done, with the environment as a text and without its users. */
async function detachAudit(sql: Sql, environmentId: number): Promise<boolean> {
  const rows = await sql.all<{ number: number; action: string; subject: string; detail: string }>(
    'SELECT number, action, subject, detail FROM audit_entry WHERE environment_id = ? ORDER BY number LIMIT ?',
    [environmentId, SLICE_ROWS],
  )
  const environment = formatId('environment', environmentId)
  await sql.bulk(
    DETACH,
    rows.map(({ number, action, subject, detail }) => {
      const isPersonal = isAboutUsers(action)
      const kept = isPersonal ? {} : (JSON.parse(detail) as object)
      const isUser = isPersonal && !action.startsWith('topic.')
      return [number, isUser ? ERASED : subject, JSON.stringify({ ...kept, environment })]
    }),
  )
  return rows.length > 0
}
