// Applies the numbered migrations, each in its own transaction, without the indexes of large tables where the engine
// makes those beside other work. The caller holds the engine's migration lock.

import { journey } from './migrations/0001-journey.ts'
import { deliveryHistory } from './migrations/0002-delivery-history.ts'
import { secrets } from './migrations/0003-secrets.ts'
import { organisations } from './migrations/0004-organisations.ts'
import { rateLimits } from './migrations/0005-rate-limits.ts'
import { deadJobs } from './migrations/0006-dead-jobs.ts'
import { eventRecipients } from './migrations/0007-event-recipients.ts'
import { nodes } from './migrations/0008-nodes.ts'
import { runWaits } from './migrations/0009-run-waits.ts'
import { digest } from './migrations/0010-digest.ts'
import { sending } from './migrations/0011-sending.ts'
import { enrichers } from './migrations/0012-enrichers.ts'
import { arrivalsOfEvent } from './migrations/0013-arrivals-of-event.ts'
import { turns } from './migrations/0014-turns.ts'
import { environmentConfig } from './migrations/0015-environment-config.ts'
import { funnelDays } from './migrations/0017-funnel-days.ts'
import { runsOfEvent } from './migrations/0018-runs-of-event.ts'
import { revisions } from './migrations/0019-revisions.ts'
import { resumedAt } from './migrations/0022-resumed-at.ts'
import { people } from './migrations/0023-people.ts'
import { reads } from './migrations/0024-reads.ts'
import { secondFactors } from './migrations/0025-second-factors.ts'
import { mail } from './migrations/0026-mail.ts'
import { mailIntegrations } from './migrations/0027-mail-integrations.ts'
import { mailbox } from './migrations/0028-mailbox.ts'
import { invitationMails } from './migrations/0030-invitation-mails.ts'
import { mailRates } from './migrations/0032-mail-rates.ts'
import { pausedMails } from './migrations/0033-paused-mails.ts'
import { mailLayouts } from './migrations/0034-mail-layouts.ts'
import { sources } from './migrations/0035-sources.ts'
import { historyByChannel } from './migrations/0036-history-by-channel.ts'
import { givenUp } from './migrations/0037-given-up.ts'
import { provedDomains } from './migrations/0038-proved-domains.ts'
import { attemptLog } from './migrations/0039-attempt-log.ts'
import { rawEventsAndRuns } from './migrations/0040-raw-events-and-runs.ts'
import { deliveryBodies } from './migrations/0041-delivery-bodies.ts'
import { externalIds } from './migrations/0042-external-ids.ts'
import { emailSandbox } from './migrations/0043-email-sandbox.ts'
import { mailLinks } from './migrations/0044-mail-links.ts'
import { texts } from './migrations/0045-texts.ts'
import { doubts } from './migrations/0046-doubts.ts'
import { mailFetches } from './migrations/0047-mail-fetches.ts'
import { eventsByCorrelation } from './migrations/0048-events-by-correlation.ts'
import { secretWarnings } from './migrations/0052-secret-warnings.ts'
import { invitedBy } from './migrations/0053-invited-by.ts'
import { environmentErasures } from './migrations/0054-environment-erasures.ts'
import { type LateIndex, type Migration, splitMigration } from './migrations/migration.ts'
import type { Engine, Sql } from './sql/sql.ts'

/** All migrations in order. A released migration never changes. */
export const MIGRATIONS: Migration[] = [
  journey,
  deliveryHistory,
  secrets,
  organisations,
  rateLimits,
  deadJobs,
  eventRecipients,
  nodes,
  runWaits,
  digest,
  sending,
  enrichers,
  arrivalsOfEvent,
  turns,
  environmentConfig,
  funnelDays,
  runsOfEvent,
  revisions,
  resumedAt,
  people,
  reads,
  secondFactors,
  mail,
  mailIntegrations,
  mailbox,
  invitationMails,
  mailRates,
  pausedMails,
  mailLayouts,
  sources,
  historyByChannel,
  givenUp,
  provedDomains,
  attemptLog,
  rawEventsAndRuns,
  deliveryBodies,
  externalIds,
  emailSandbox,
  mailLinks,
  texts,
  doubts,
  mailFetches,
  eventsByCorrelation,
  secretWarnings,
  invitedBy,
  environmentErasures,
]

export interface Dialect {
  /** Translates `IDENTITY`, `CLUSTERED` and INTEGER for the engine. */
  translate(statement: string): string
}

export interface TablesVersion {
  /** The number of the last applied migration. */
  number: number
  oldestBinary: number
}

/** Returns the table version that this program works on. */
export function knownTables(migrations = MIGRATIONS): number {
  return migrations.at(-1)?.number ?? 0
}

/** Reads the table version of a store. */
export async function readTables(sql: Sql): Promise<TablesVersion> {
  const row = await sql.one<{ number: number; oldest_binary: number }>(
    'SELECT COALESCE(MAX(number), 0) AS number, COALESCE(MAX(oldest_binary), 0) AS oldest_binary FROM migration',
  )
  return { number: row?.number ?? 0, oldestBinary: row?.oldest_binary ?? 0 }
}

/** What `applied_at` is while the late indexes of a migration are not all made. An older program works without them. */
export const UNFINISHED = -1

export interface MigrationEngine extends Engine {
  /**
   * Makes an index beside the work of other processes, outside of a transaction; does nothing when it exists and is
   * complete. Without it, indexes are made within the transaction of their migration.
   */
  makeIndex?(index: LateIndex): Promise<void>
}

/**
 * Applies the missing migrations, and finishes those whose indexes are not all made.
 * @returns The numbers of these migrations.
 * @throws Error when a newer program changed the tables so that this one cannot work on them.
 */
export async function migrate(
  engine: MigrationEngine,
  dialect: Dialect,
  now: number,
  migrations = MIGRATIONS,
): Promise<number[]> {
  const known = knownTables(migrations)
  const applied = await engine.transaction(async (sql) => {
    await sql.run(dialect.translate(CREATE_VERSION))
    const rows = await sql.all<{ number: number; applied_at: number }>('SELECT number, applied_at FROM migration')
    return { ...(await readTables(sql)), at: new Map(rows.map((row) => [row.number, row.applied_at])) }
  })
  if (applied.oldestBinary > known) {
    throw new Error(
      `The data were written by a newer version (tables ${applied.number}, this program knows ${known}). Install that version or a later one.`,
    )
  }
  // A store without rows needs no care.
  const makeIndex = applied.at.size === 0 ? undefined : engine.makeIndex
  const done: number[] = []
  for (const migration of migrations) {
    // Compared by number: a migration that was finished after its successor is applied too.
    const appliedAt = applied.at.get(migration.number)
    if (appliedAt !== undefined && (appliedAt !== UNFINISHED || makeIndex === undefined)) continue
    const { inside, late } = splitMigration(migration)
    const isLate = makeIndex !== undefined && late.length > 0
    if (appliedAt === undefined) {
      const statements = (isLate ? inside : migration.statements).map((text) => dialect.translate(text))
      await engine.transaction((sql) => record(sql, { ...migration, statements }, isLate ? UNFINISHED : now))
    }
    if (isLate) {
      for (const index of late) await makeIndex({ ...index, statement: dialect.translate(index.statement) })
      await engine.transaction((sql) =>
        sql.run('UPDATE migration SET applied_at = ? WHERE number = ?', [now, migration.number]),
      )
    }
    done.push(migration.number)
  }
  return done
}

/** Runs the statements and records the migration, unless another process has: its row is locked until the end. */
async function record(sql: Sql, { number, oldestBinary, statements }: Migration, at: number): Promise<void> {
  const isNew = await sql.run(
    'INSERT INTO migration (number, oldest_binary, applied_at) VALUES (?, ?, ?) ON CONFLICT (number) DO NOTHING',
    [number, oldestBinary, at],
  )
  if (isNew > 0) for (const statement of statements) await sql.run(statement)
}

const CREATE_VERSION =
  'CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, oldest_binary INTEGER NOT NULL, applied_at INTEGER NOT NULL)'
