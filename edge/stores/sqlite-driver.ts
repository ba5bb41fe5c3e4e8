// The small interface over the SQLite drivers: better-sqlite3 (optional) or libsql, whose binary comes inside its package (choices, storage).

import { ApiError } from '../lib/api-error.ts'
import type { Param } from './sql/sql.ts'

export type DriverName = 'better-sqlite3' | 'libsql'

export interface SqliteStatement {
  /** Whether it answers rows. */
  readonly reader: boolean
  all(params: Param[]): unknown[]
  /** Answers how many rows changed. */
  run(params: Param[]): number
}

export interface SqliteConnection {
  prepare(text: string): SqliteStatement
  exec(text: string): void
  close(): void
}

export interface SqliteDriver {
  name: DriverName
  /** `busyMs`: how long to wait for another connection's lock. */
  open(path: string, busyMs: number): SqliteConnection
}

/** What both packages offer and we use of them. */
interface NativeStatement {
  readonly reader: boolean
  all(params: Param[]): unknown[]
  run(params: Param[]): { changes: number }
}
interface NativeDatabase {
  prepare(text: string): NativeStatement
  exec(text: string): unknown
  close(): unknown
}
type NativeClass = new (path: string, options: { timeout: number }) => NativeDatabase

async function loadClass(name: DriverName): Promise<NativeClass> {
  if (name === 'libsql') return (await import('libsql')).default as NativeClass
  return (await import('better-sqlite3')).default as NativeClass
}

/** Loads the wanted driver, or the first that works on this machine. */
export async function loadDriver(wanted?: DriverName): Promise<SqliteDriver> {
  const faults: unknown[] = []
  for (const name of wanted === undefined ? (['better-sqlite3', 'libsql'] as const) : [wanted]) {
    try {
      const Native = await loadClass(name)
      new Native(':memory:', { timeout: 0 }).close() // a package without its binary fails here, not at its import
      return { name, open: (path, busyMs) => connect(new Native(path, { timeout: busyMs })) }
    } catch (cause) {
      faults.push(cause)
    }
  }
  throw new AggregateError(faults, 'No SQLite driver can be loaded: neither better-sqlite3 nor libsql works here.')
}

function connect(database: NativeDatabase): SqliteConnection {
  return {
    prepare(text) {
      const statement = database.prepare(text)
      const reader = statement.reader
      return {
        reader,
        all: (params) => statement.all(params),
        run: (params) => statement.run(params).changes,
      }
    },
    exec: (text) => void database.exec(text),
    close: () => void database.close(),
  }
}

/** Faults of the disk or of another process: not of the plan that met them, so that retrying it alone is pointless. */
export function isStoreFault(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM)/.test(codeOf(error))
}

/** Whether it says that the file was harmed, not that it never was a database. */
export function isDamage(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_CORRUPT')
}

/** Whether it says that the disk has no room. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_FULL'
}

/** Whether it says that this account may not open or write the file. */
export function isClosed(error: unknown): boolean {
  return /^SQLITE_(CANTOPEN|READONLY)/.test(codeOf(error))
}

/** What an operator can do about a store that cannot be read or written; any other error as it came. */
export function explainFile(error: unknown, path: string): unknown {
  const isDamaged = isDamage(error) || codeOf(error) === 'SQLITE_NOTADB'
  if (!(error instanceof Error) || !(isDamaged || isClosed(error))) return error
  const words = isDamaged
    ? `${path} is damaged (${error.message}). Put a backup in its place: npm run nc -- restore --from <path> --yes`
    : `${path} cannot be opened for writing (${error.message}). Look at owner and mode of its folder and of all files beside it, and whether the disk is read-only.`
  return new Error(words, { cause: error })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** The error for callers when the store itself is at fault. */
export function unavailable(cause: unknown): ApiError {
  return new ApiError('service/unavailable', { retryAfterSeconds: 1 }, { cause })
}
