// Exports a closed environment as lines (`nc env export`): when nothing works for it any more, one snapshot of all its rows.

import { setTimeout as delay } from 'node:timers/promises'
import { formatId } from '../../../lib/id.ts'
import type { TransportKey } from '../../../lib/transport-key.ts'
import { knownTables, readTables } from '../../migrate.ts'
import { readIdLead } from '../../sql/id-lead.ts'
import type { Sql } from '../../sql/sql.ts'
import { createDigest, type TableDigest } from '../export-format.ts'
import { type ExportWriter, readIdentities } from '../export-rows.ts'
import type { MaintenanceStore } from '../maintenance-store.ts'
import { refuseUnfinishedImport } from '../unfinished-import.ts'
import { type EnvironmentEnd, type EnvironmentHead, FORMAT, FORMAT_VERSION, signedText } from './environment-format.ts'
import { listRows, nameOfEnvironment, readSpaces } from './environment-rows.ts'
import { hashedLine, MOVED_TABLES } from './environment-tables.ts'

/** Nodes know of the close, and have ended the calls that were under way. */
const SETTLE_MS = 5000
const LOOK_EVERY_MS = 200
/** The longest lease of a claim; what is renewed works still. */
const LEASE_MS = 60_000

/** Work under a claim. A retry that is due soon looks the same, and passes as well. */
const CLAIMED = `SELECT 1 AS one FROM job WHERE environment_id = ? AND attempts > 0 AND due_at > ? AND due_at <= ?
  UNION ALL SELECT 1 FROM run_wait WHERE environment_id = ? AND attempts > 0 AND due_at > ? AND due_at <= ?
  UNION ALL SELECT 1 FROM mail WHERE environment_id = ? AND due_at > ready_at AND due_at > ? AND due_at <= ? LIMIT 1`

export interface DrainOptions {
  environmentId: number
  /** Epoch ms. */
  closedAt: number
  /** By the clock of claims. */
  now(): number
  settleMs?: number
  progress?(text: string): void
}

/** Waits until no call, job, run or mail of a closed environment is under way: an export after that misses nothing. */
export async function drainEnvironment(store: MaintenanceStore, options: DrainOptions): Promise<void> {
  const { environmentId, closedAt, now, settleMs = SETTLE_MS, progress = () => {} } = options
  const restMs = closedAt + settleMs - now()
  if (restMs > 0) await delay(restMs)
  // A claim that began before the close may be committed after it.
  await store.settle()
  const isAtWork = (sql: Sql) => {
    const from = now()
    const part = [environmentId, from, from + LEASE_MS]
    return sql.one(CLAIMED, [...part, ...part, ...part])
  }
  for (let waits = 0; (await store.snapshot(isAtWork)) !== undefined; waits++) {
    if (waits === 0) progress('Waiting for the work that is under way.')
    await delay(LOOK_EVERY_MS)
  }
  await store.settle()
}

export interface EnvironmentExport {
  environmentId: number
  takenAt: string
  region: string
  salt: string
  key: TransportKey
  /** Opens a value under the master keys of this deployment. */
  open(sealed: string): Promise<string>
}

/**
 * Writes the environment, which must be closed and drained.
 * @returns The head and the end record, as they were written.
 * @throws Error with a text for the operator.
 */
export async function exportEnvironment(
  store: MaintenanceStore,
  writer: ExportWriter,
  given: EnvironmentExport,
): Promise<{ head: EnvironmentHead; end: EnvironmentEnd }> {
  return store.snapshot(async (sql) => {
    await refuseUnfinishedImport(sql)
    const environment = await readClosed(sql, given.environmentId)
    const head: EnvironmentHead = {
      format: FORMAT,
      formatVersion: FORMAT_VERSION,
      schemaVersion: knownTables(),
      engine: store.engine,
      takenAt: given.takenAt,
      environment: nameOfEnvironment(given.environmentId),
      name: environment.name,
      organisation: formatId('organisation', environment.organisation_id),
      region: given.region,
      salt: given.salt,
      keyId: given.key.id,
      identities: await readIdentities(store, sql, MOVED_TABLES),
      idLeadMs: await readIdLead(sql),
    }
    await writer.write(JSON.stringify(head))
    const tables = await writeTables(sql, writer, given, environment)
    const end: EnvironmentEnd = { end: true, tables, signature: given.key.sign(signedText(head, tables)) }
    await writer.write(JSON.stringify(end))
    return { head, end }
  })
}

interface ClosedRow {
  organisation_id: number
  name: string
  closed_at: number | null
  closed_for: string | null
}

async function readClosed(sql: Sql, environmentId: number): Promise<ClosedRow & { closed_at: number }> {
  const { number } = await readTables(sql)
  if (number !== knownTables()) {
    throw new Error(`The store has tables of version ${number}, this program knows ${knownTables()}.`)
  }
  const text = 'SELECT organisation_id, name, closed_at, closed_for FROM environment WHERE id = ?'
  const row = await sql.one<ClosedRow>(text, [environmentId])
  if (row === undefined) throw new Error(`There is no environment ${nameOfEnvironment(environmentId)}.`)
  const { closed_at: closedAt } = row
  if (closedAt === null) throw new Error(`The environment ${row.name} was opened meanwhile. Close it first.`)
  if (row.closed_for === 'import') throw new Error(`The import of ${row.name} is not complete.`)
  return { ...row, closed_at: closedAt }
}

async function writeTables(
  sql: Sql,
  writer: ExportWriter,
  { environmentId, key, open }: EnvironmentExport,
  environment: ClosedRow & { closed_at: number },
): Promise<Record<string, TableDigest>> {
  const spaces = await readSpaces(sql, environmentId)
  const keysAfter = environment.closed_at
  const owners = { environmentId, organisationId: environment.organisation_id, spaces, keysAfter }
  const tables: Record<string, TableDigest> = {}
  for (const table of MOVED_TABLES) {
    await writer.write(JSON.stringify({ table: table.name, columns: Object.keys(table.columns) }))
    const digest = createDigest()
    let rows = 0
    for await (const page of listRows(sql, table, owners)) {
      for (const row of page) {
        digest.add(hashedLine(table, row))
        const sealed = row[table.sealed]
        const moved = typeof sealed === 'string' ? row.with(table.sealed, await key.seal(await open(sealed))) : row
        await writer.write(JSON.stringify(moved))
      }
      rows += page.length
      writer.progress?.(table.name, rows)
    }
    tables[table.name] = digest.result()
  }
  return tables
}
