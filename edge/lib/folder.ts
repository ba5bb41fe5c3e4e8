// Creates folders one by one, requires those of new files, and explains a full disk. The recursive `mkdir` of Node never
// ends when the system denies an existing folder.

import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Creates the folder and its parents, accessible to this account alone. Throws the error of the system. */
export async function makeFolder(path: string): Promise<void> {
  for (const folder of pathTo(resolve(path))) {
    try {
      await mkdir(folder, { mode: 0o700 })
    } catch (error) {
      // For an existing folder a system reports that it exists, or only that nothing can be created there.
      const found = await stat(folder).catch(() => undefined)
      if (found?.isDirectory() !== true) throw error
    }
  }
}

/**
 * Refuses a file that exists, and one whose folder does not: a mistyped folder of a mounted disk would be made on another.
 * @throws Error with a text for the operator
 */
export function requireNewFile(file: string): void {
  const folder = dirname(resolve(file))
  if (existsSync(file)) throw new Error(`${file} exists already. Name a file that does not.`)
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}. Make it, or name another.`)
}

/** Lists a folder after its parents. */
function pathTo(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [...pathTo(above), folder]
}

/** Error codes of a full disk or quota; the system error does not contain the file, so the text adds it. */
const FULL = new Set(['ENOSPC', 'EDQUOT'])

/** @returns An error for the operator when the disk or the quota is full, or the file too large; any other error unchanged. */
export function explainFull(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (FULL.has(String(error.code))) return fullDisk(error, path)
  if (error.code !== 'EFBIG') return error
  const reason = 'its file system, or this account, may have no file so large.'
  return new Error(`${path} cannot be written: ${reason} (${error.message})`, { cause: error })
}

/** Creates the error for the operator whose file does not fit on its disk. */
export function fullDisk(cause: Error, path: string): Error {
  const text = `${path} cannot be written: its disk is full. Make room there, or name another place. (${cause.message})`
  return new Error(text, { cause })
}
