// Stores how often a process ended while it handled a claim, and lists, revives and drops what was given up.

import type { AuditEntry } from '../../domain/audit.ts'
import type { GivenUp, GivenUps } from '../../domain/given-up.ts'
import type { ClaimKind, Mark, WorkMark } from '../../domain/in-hand.ts'
import type { TraceStep } from '../../domain/tracked-event.ts'
import { toIso } from '../../lib/clock.ts'
import { CAMPAIGN } from '../tables/campaign.ts'
import { JOB } from '../tables/job.ts'
import { MAIL } from '../tables/mail.ts'
import { INBOX_ITEM, ITEM_OF_MESSAGE, MESSAGE } from '../tables/message.ts'
import { RUN_WAIT } from '../tables/run.ts'
import { type RawRow, view, viewBoth } from '../tables/table.ts'
import { APP_USER } from '../tables/user.ts'
import { recordAudit } from './audit.ts'
import { createStepTally } from './commit/step-tally.ts'
import { readCountedRuns } from './counted-runs.ts'
import { dropWaits } from './purge-runs.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const TABLES: Record<ClaimKind, { table: string; key: string }> = {
  run: { table: 'run_wait', key: 'run_id' },
  job: { table: 'job', key: 'id' },
  mail: { table: 'mail', key: 'message_id' },
}
const KINDS = Object.keys(TABLES) as ClaimKind[]

/** What was given up is never due, and a claim of another process keeps its lease. */
const countCrash = ({ table, key }: (typeof TABLES)[ClaimKind]) =>
  withRows(
    { environment_id: 'int', id: 'int', due_at: 'int' },
    `UPDATE ${table} SET crashes = crashes + 1,
      due_at = CASE WHEN ${table}.due_at < given.due_at THEN given.due_at ELSE ${table}.due_at END
      FROM given WHERE ${table}.environment_id = given.environment_id AND ${table}.${key} = given.id`,
  )
const COUNT_CRASHES = { run: countCrash(TABLES.run), job: countCrash(TABLES.job), mail: countCrash(TABLES.mail) }

/** What makes a row due again, as if it had never been tried. */
const AGAIN: Record<ClaimKind, string> = {
  run: 'attempts = 0',
  job: 'run_at = given.now, attempts = 0',
  mail: 'ready_at = given.now, attempts = 0, claims = 0, first_attempt_at = NULL, handed_to = NULL',
}
const runAgain = (kind: ClaimKind) => {
  const { table, key } = TABLES[kind]
  return withRows(
    { id: 'int', environment_id: 'int', now: 'int' },
    `UPDATE ${table} SET ${AGAIN[kind]}, due_at = given.now, crashes = 0, given_up_at = NULL, fence = ${table}.fence + 1
      FROM given WHERE ${table}.${key} = given.id AND ${table}.environment_id = given.environment_id
        AND ${table}.given_up_at IS NOT NULL RETURNING ${table}.${key}`,
  )
}
const RUN_AGAIN = { run: runAgain('run'), job: runAgain('job'), mail: runAgain('mail') }

export const givenUpWrites = {
  async recordCrashes({ sql }: WriteContext, marks: WorkMark[], dueAt: number): Promise<void> {
    for (const kind of KINDS) {
      // Sorted, so that two nodes lock rows in one order. A process marks no work twice at a time.
      const ofKind = marks.filter((mark) => mark.kind === kind)
      const environments = new Map(ofKind.map(({ id, environmentId }) => [id, environmentId]))
      const rows = [...environments].sort(([a], [b]) => a - b).map(([id, environmentId]) => [environmentId, id, dueAt])
      if (rows.length > 0) await sql.bulk(COUNT_CRASHES[kind], rows)
    }
  },
  async runAgain(
    context: WriteContext,
    environmentId: number,
    { kind, id }: Mark,
    now: number,
    audit?: AuditEntry,
  ): Promise<boolean> {
    const { sql } = context
    const revived = await sql.bulk(RUN_AGAIN[kind], [[id, environmentId, now]])
    if (revived.length === 0) return false
    if (kind === 'run') await reviveRun(context, environmentId, id, now, audit)
    if (kind === 'mail') {
      await countRevived(context, environmentId, id)
      const queued = `UPDATE inbox_item SET status = 'queued', status_reason = NULL WHERE environment_id = ? AND message_id = ?`
      await sql.run(queued, [environmentId, id])
    }
    if (audit !== undefined) await recordAudit(context, audit)
    return true
  },
  async dropGivenUp(context: WriteContext, environmentId: number, mark: Mark, audit?: AuditEntry): Promise<boolean> {
    const isDropped = await dropOne(context, environmentId, mark)
    if (isDropped && audit !== undefined) await recordAudit(context, audit)
    return isDropped
  },
}

/** The trace keeps why the run was given up, and then says that it was run again. */
async function reviveRun(
  context: WriteContext,
  environmentId: number,
  id: number,
  now: number,
  audit?: AuditEntry,
): Promise<void> {
  const { sql } = context
  const [run] = await readCountedRuns(sql, [[environmentId, id]])
  const trace = JSON.parse(run?.trace ?? '[]') as TraceStep[]
  const reason = `run again${audit === undefined ? '' : ` by ${audit.who}`}, at ${toIso(now)}`
  trace.push({ stepId: '', type: 'again', outcome: 'done', reason, at: now, durationMs: 0 })
  const revived = `UPDATE run SET state = 'waiting', state_reason = NULL, ended_at = NULL, trace = ? WHERE environment_id = ? AND id = ?`
  const changed = await sql.run(revived, [JSON.stringify(trace), environmentId, id])
  if (run === undefined || changed === 0) return
  const steps = createStepTally(now)
  steps.countRun(environmentId, run, -1)
  steps.countRun(environmentId, { ...run, state: 'waiting', trace: JSON.stringify(trace) }, 1)
  await steps.write(context)
}

const FAILED = viewBoth(
  view(MESSAGE, 'm', ['environmentId', 'campaignId', 'version', 'stepId', 'createdAt']),
  view(INBOX_ITEM, 'i', ['isTest', 'status', 'statusReason']),
)
const FIND_FAILED = `SELECT ${FAILED.columns} FROM message m CROSS JOIN inbox_item i
  WHERE m.environment_id = ? AND m.id = ? AND ${ITEM_OF_MESSAGE}`

/** Takes back why a mail had failed. Its row is locked. */
async function countRevived(context: WriteContext, environmentId: number, id: number): Promise<void> {
  const row = await context.sql.one<RawRow>(FIND_FAILED, [environmentId, id])
  if (row === undefined) return
  const message = FAILED.read(row)
  const steps = createStepTally(context.now)
  steps.countReason(message, message.status, message.statusReason, -1)
  await steps.write(context)
}

async function dropOne({ sql }: WriteContext, environmentId: number, { kind, id }: Mark): Promise<boolean> {
  const { table, key } = TABLES[kind]
  const own = `${key} = ? AND environment_id = ? AND given_up_at IS NOT NULL`
  const params = [id, environmentId]
  // The mail's row is part of its message, so only the mark goes.
  if (kind === 'mail') return (await sql.run(`UPDATE mail SET given_up_at = NULL WHERE ${own}`, params)) > 0
  const found = await sql.one(`SELECT 1 AS one FROM ${table} WHERE ${own}${sql.forUpdate}`, params)
  if (found === undefined) return false
  if (kind === 'run') await dropWaits(sql, [[environmentId, id]])
  else await sql.run('DELETE FROM job WHERE environment_id = ? AND id = ?', [environmentId, id])
  return true
}

const RUN = view(RUN_WAIT, 'g', ['environmentId', 'givenUpAt', 'campaignId'], {
  id: 'runId',
  reason: 'error',
  what: 'stepId',
})
const GIVEN_UP_JOB = view(JOB, 'g', ['id', 'environmentId', 'givenUpAt'], { reason: 'error', what: 'kind' })
const GIVEN_UP_MAIL = view(MAIL, 'g', ['environmentId', 'givenUpAt'], { id: 'messageId', reason: 'lastError' })
const MAILED = view(MESSAGE, 'm', ['campaignId'], { what: 'stepId' })
const OWNERS = [
  view(CAMPAIGN, 'c', [], { campaignKey: 'key', campaignName: 'name' }),
  view(APP_USER, 'u', ['userId'], { userName: 'name' }),
]
const columnsOf = (views: { columns: string }[]) => views.map(({ columns }) => columns).join(', ')

/** Selects the newest of one kind, with `?` for the limit, after those of `condition`. */
const LISTS: Record<ClaimKind, (condition: string) => string> = {
  run: (condition) => `SELECT 'run' AS kind, ${columnsOf([RUN, ...OWNERS])}
      FROM run_wait g LEFT JOIN campaign c ON c.environment_id = g.environment_id AND c.id = g.campaign_id
      LEFT JOIN app_user u ON u.environment_id = g.environment_id AND u.user_no = g.user_no
      WHERE g.given_up_at IS NOT NULL${condition} ORDER BY g.given_up_at DESC, g.run_id DESC LIMIT ?`,
  job: (condition) => `SELECT 'job' AS kind, ${GIVEN_UP_JOB.columns}, CAST(NULL AS BIGINT) AS "campaignId",
      CAST(NULL AS TEXT) AS "campaignKey", CAST(NULL AS TEXT) AS "campaignName", CAST(NULL AS TEXT) AS "userId",
      CAST(NULL AS TEXT) AS "userName" FROM job g
      WHERE g.given_up_at IS NOT NULL${condition} ORDER BY g.given_up_at DESC, g.id DESC LIMIT ?`,
  mail: (condition) => `SELECT 'mail' AS kind, ${columnsOf([GIVEN_UP_MAIL, MAILED, ...OWNERS])}
      FROM mail g JOIN message m ON m.environment_id = g.environment_id AND m.id = g.message_id
      LEFT JOIN campaign c ON c.environment_id = m.environment_id AND c.id = m.campaign_id
      LEFT JOIN app_user u ON u.environment_id = m.environment_id AND u.user_no = m.user_no
      WHERE g.given_up_at IS NOT NULL${condition} ORDER BY g.given_up_at DESC, g.message_id DESC LIMIT ?`,
}
type Listed = Omit<GivenUp, 'reason'> & { reason: string | null }

/** Beyond this number nothing is counted. */
const MOST_COUNTED = 1000

export function createGivenUps(sql: Sql, writes: Writes<typeof givenUpWrites>): GivenUps {
  return {
    recordCrashes: writes.recordCrashes,
    runAgain: writes.runAgain,
    drop: writes.dropGivenUp,
    async list(environmentId, limit) {
      const condition = environmentId === null ? '' : ' AND g.environment_id = ?'
      const params = environmentId === null ? [limit] : [environmentId, limit]
      const rows = await Promise.all(KINDS.map((kind) => sql.all<Listed>(LISTS[kind](condition), params)))
      const all = rows.flat().map((row): GivenUp => ({ ...row, reason: row.reason ?? '' }))
      return all.sort((one, other) => other.givenUpAt - one.givenUpAt || other.id - one.id).slice(0, limit)
    },
    async count() {
      const counts = await Promise.all(
        KINDS.map(async (kind): Promise<[ClaimKind, number]> => {
          const some = `SELECT 1 AS one FROM ${TABLES[kind].table} WHERE given_up_at IS NOT NULL LIMIT ${MOST_COUNTED}`
          const row = await sql.one<{ count: number }>(`SELECT COUNT(*) AS count FROM (${some}) AS found`)
          return [kind, Number(row?.count ?? 0)]
        }),
      )
      return Object.fromEntries(counts) as Record<ClaimKind, number>
    },
  }
}
