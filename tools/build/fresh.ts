// Checks whether a build is up to date: a stamp of the sources' sizes and times is kept beside the output.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const STAMP = '.build-stamp'
const SKIPPED = /^(node_modules|dist.*|test|screenshots)$|\.test\.ts$/

/**
 * Computes the stamp of files or folders.
 * @returns one line, which differs when an input is added, removed or changes its size or time
 */
export function stampOf(root: string, inputs: string[]): string {
  const hash = createHash('sha256').update(process.version)
  for (const input of inputs) addTo(hash, root, input)
  return hash.digest('hex')
}

function addTo(hash: ReturnType<typeof createHash>, root: string, path: string): void {
  const full = join(root, path)
  if (!existsSync(full)) return
  const stat = statSync(full)
  if (!stat.isDirectory()) {
    hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`)
    return
  }
  for (const name of readdirSync(full).sort()) if (!SKIPPED.test(name)) addTo(hash, root, `${path}/${name}`)
}

/** Returns true when the folder was built from that stamp and contains all `files`. */
export function isFresh(folder: string, stamp: string, files: string[]): boolean {
  const path = join(folder, STAMP)
  if (!existsSync(path) || !files.every((file) => existsSync(join(folder, file)))) return false
  return readFileSync(path, 'utf8') === stamp
}

/** Removes the stamp before a build, so that an interrupted build counts as stale. */
export function removeStamp(folder: string): void {
  rmSync(join(folder, STAMP), { force: true })
}

export function writeStamp(folder: string, stamp: string): void {
  writeFileSync(join(folder, STAMP), stamp)
}
