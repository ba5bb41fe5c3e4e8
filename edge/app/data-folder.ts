// Creates the folder of DATA_DIR, checks that it is writable, and closes its files to other accounts.

import { constants } from 'node:fs'
import { access, chmod, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '../lib/folder.ts'
import type { Log } from '../lib/log.ts'

const REASONS: Record<string, string> = {
  EEXIST: 'is a file. Name a folder',
  ENOTDIR: 'is below a file. Name a folder',
  EACCES: 'cannot be written by this account. Give it to the account, or name another folder',
  EPERM: 'cannot be written by this account. Give it to the account, or name another folder',
  ENOENT: 'is where the system creates no folders. Name another folder',
  EROFS: 'is on a read-only disk. Make the disk writable, or name another folder',
}

/**
 * Creates the folder if it is missing.
 * @throws Error with a message for the operator when the folder cannot be written.
 */
export async function confirmFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir)
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = (await findPathError(dataDir)) ?? codeOf(error)
    const detail = error instanceof Error ? error.message : String(error)
    const reason = REASONS[code] ?? 'cannot be created as a folder'
    throw new Error(`DATA_DIR (${dataDir}) ${reason}. (${detail})`, { cause: error })
  }
}

/** Finds the error code of the nearest existing parent: below an unwritable folder the system reports only ENOENT. */
async function findPathError(path: string): Promise<string | undefined> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined)
    if (found === undefined && folder !== dirname(folder)) continue
    if (found?.isDirectory() === false) return folder === resolve(path) ? 'EEXIST' : 'ENOTDIR'
    return access(folder, constants.W_OK | constants.X_OK).then(() => undefined, codeOf)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Names of this service, with drafts and former stores. Other files of the folder are not ours to change. */
const OURS = /^(store\.|restore\.part|ballast$|master\.key|demo\.json|in-hand\.)/

/**
 * Closes the folder, and what this service keeps in it, to all other accounts: an operator may have made the folder, or
 * copied files into it, with looser modes. Logs what was open, and what this account may not close.
 */
export async function closeToOthers(dataDir: string, log: Pick<Log, 'warn'>): Promise<void> {
  // Modes have no meaning there.
  if (process.platform === 'win32') return
  const folder = await realpath(dataDir).catch(() => undefined)
  if (folder === undefined) return
  const mails = join(folder, 'mails')
  const paths = [
    folder,
    mails,
    ...(await listFolder(folder)).filter((name) => OURS.test(name)).map((name) => join(folder, name)),
    ...(await listFolder(mails)).filter((name) => name.endsWith('.eml')).map((name) => join(mails, name)),
  ]
  const counts = { closed: 0, open: 0 }
  for (const path of paths) {
    const outcome = await closePath(path)
    if (outcome !== undefined) counts[outcome]++
  }
  if (counts.closed > 0) log.warn('data folder was open to other accounts: modes tightened', countOf(counts.closed))
  if (counts.open > 0)
    log.warn('data folder is open to other accounts: use one of this account alone', countOf(counts.open))
}

const countOf = (count: number) => ({ count, setting: 'DATA_DIR' })

/** @returns Nothing for a missing folder, and for a link, which may lead to files of others. */
async function listFolder(folder: string): Promise<string[]> {
  const isFolder = await lstat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return isFolder ? readdir(folder).catch(() => []) : []
}

/** @returns Undefined for what is missing, a link, or closed already; `open`: this account may not change the mode. */
async function closePath(path: string): Promise<'closed' | 'open' | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined || found.isSymbolicLink()) return undefined
  const mode = found.mode & 0o7777
  // The special bits of a folder stay.
  const wanted = found.isDirectory() ? mode & ~0o077 : mode & 0o600
  if (mode === wanted) return undefined
  // A folder with the sticky bit, such as /tmp, is made for many accounts.
  if (found.isDirectory() && (mode & 0o1000) !== 0) return 'open'
  return chmod(path, wanted).then(
    () => 'closed',
    () => 'open',
  )
}
