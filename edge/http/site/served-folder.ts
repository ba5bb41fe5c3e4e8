// Reads a folder of built files into memory: that of the widget, and that of the dashboard.

import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { findContentType, type ServedFile, toServedFile } from './file-route.ts'

/** The built files by their path inside the folder, with `/` as separator. */
export type ServedFiles = ReadonlyMap<string, ServedFile>

/** Reads the files that are served. @returns An empty map when the folder was not built. */
export async function readServedFolder(dist: string): Promise<ServedFiles> {
  const files = new Map<string, ServedFile>()
  const entries = await readdir(dist, { recursive: true, withFileTypes: true }).catch(noneWhenMissing)
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const type = findContentType(entry.name)
    if (!entry.isFile() || entry.name.startsWith('.') || type === undefined) continue
    files.set(relative(dist, path).split(sep).join('/'), toServedFile(await readFile(path), type))
  }
  return files
}

function noneWhenMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}
