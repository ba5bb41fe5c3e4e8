// Creates the folder of DATA_DIR and checks that it is writable.

import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '../lib/folder.ts'

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
