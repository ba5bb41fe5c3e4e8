// Wraps the SQLite drivers: better-sqlite3 (optional) or libsql, whose package contains its binary.

import { closeSync, openSync } from 'node:fs'
import { ApiError } from '../../lib/api-error.ts'
import { NC } from '../../lib/command-line.ts'
import { fullDisk } from '../../lib/folder.ts'
import type { Param } from '../sql/sql.ts'

export type DriverName = 'better-sqlite3' | 'libsql'

export interface SqliteStatement {
  /** Whether it returns rows. */
  readonly reader: boolean
  all(params: Param[]): unknown[]
  /** Returns the number of changed rows. */
  run(params: Param[]): number
}

export interface SqliteConnection {
  prepare(text: string): SqliteStatement
  exec(text: string): void
  close(): void
}

export interface SqliteDriver {
  name: DriverName
  /** Why a better driver could not be loaded; undefined for the best one, and for a wanted one. */
  fault?: unknown
  /** Opens a connection; creates a missing file for this account alone. `busyMs`: the maximum wait for another connection's lock. */
  open(path: string, busyMs: number): SqliteConnection
}

/** The methods used of both packages. */
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

/**
 * Loads the given driver, or the first that works on this machine.
 * @throws AggregateError with the cause for each driver when none works.
 */
export async function loadDriver(wanted?: DriverName): Promise<SqliteDriver> {
  const faults: unknown[] = []
  for (const name of wanted === undefined ? (['better-sqlite3', 'libsql'] as const) : [wanted]) {
    try {
      const Native = await loadClass(name)
      new Native(':memory:', { timeout: 0 }).close() // a package without its binary fails here, not at its import
      return {
        name,
        fault: faults[0],
        open(path, busyMs) {
          if (path !== ':memory:') createPrivateFile(path)
          return connect(new Native(path, { timeout: busyMs }))
        },
      }
    } catch (cause) {
      faults.push(cause)
    }
  }
  throw new AggregateError(faults, 'No SQLite driver can be loaded: neither better-sqlite3 nor libsql works here.')
}

/**
 * Creates a missing file that only this account may read; SQLite itself would let all accounts read it. Its log and index
 * get the mode of the store. Never opens an existing file: a closed descriptor would end locks of this process on it.
 */
function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // The file exists; or SQLite reports the reason when it opens it.
  }
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

/** Returns whether the store is at fault and not the plan: a retry of the plan alone would fail. */
export function isStoreFault(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM)/.test(codeOf(error))
}

/** Returns whether the file is damaged, as opposed to never having been a database. */
export function isDamage(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_CORRUPT')
}

/** Returns whether the disk is full. An error of the writer thread has only its text, no code. */
export function isFull(error: unknown): error is Error {
  return error instanceof Error && (codeOf(error) === 'SQLITE_FULL' || error.message.includes('disk is full'))
}

/** Returns whether this account may not open or write the file. */
export function isAccessDenied(error: unknown): boolean {
  return /^SQLITE_(CANTOPEN|READONLY)/.test(codeOf(error))
}

/** @returns An error that explains to the operator how to repair an unreadable store; any other error unchanged. */
export function explainFile(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  // An explained error of the writer thread passes here a second time.
  if (code === '' && error.message.startsWith(path)) return error
  if (isFull(error)) return fullDisk(error, path)
  const text = explainCode(error)
  return text === undefined ? error : new Error(`${path} ${text}`, { cause: error })
}

function explainCode(error: Error): string | undefined {
  const detail = `(${error.message})`
  if (isDamage(error) || codeOf(error) === 'SQLITE_NOTADB')
    return `is damaged ${detail}. Put a backup in its place: ${NC} restore --from <path> --yes`
  if (isAccessDenied(error))
    return `cannot be opened for writing ${detail}. Check owner and mode of its folder and of all files in it, and whether the disk is read-only.`
  // A full disk that has no room for the index of the log is reported as an I/O error.
  if (codeOf(error).startsWith('SQLITE_IOERR'))
    return `cannot be read or written ${detail}. Check whether its disk is full or faulty.`
  return undefined
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  // libsql sets no code for SQLITE_CANTOPEN, only its number at the end of the text.
  if (/^ConnectionFailed\("Unable to open connection.*: 14"\)$/s.test(error.message)) return 'SQLITE_CANTOPEN'
  return 'code' in error ? String(error.code) : ''
}

/** Creates the error for callers while the store cannot be used; retry after 1 s. */
export function unavailable(cause: unknown): ApiError {
  return new ApiError('service/unavailable', { retryAfterSeconds: 1 }, { cause })
}
