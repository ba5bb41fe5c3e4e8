// Looks for programs and files in folders.

import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns the first of these names in PATH, the usual folders and the given folders. */
export function inFolders(names: string[], ...more: string[]): string | undefined {
  const folders = [...inPath(), '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', ...more]
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

export function inPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter(Boolean)
}

export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

export const isExecutable = (path: string) => isAllowed(path, constants.X_OK)
export const isReadable = (path: string) => isAllowed(path, constants.R_OK)

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
