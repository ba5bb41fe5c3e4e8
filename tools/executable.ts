// Finds programs by their names: in PATH, and where distributions and Homebrew put them.

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const PLACES = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']

/** Folders to look into, in this order. */
export function inPath(): string[] {
  return [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...PLACES]
}

export function findProgram(name: string): string | undefined {
  return inPath()
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
