// Which files of the edge become programs of their own: the process, and each worker thread that its code starts.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const THREAD = /threadUrl\(import\.meta\.url,\s*'([\w-]+)'\)/g

/** Name → source of every `threadUrl(import.meta.url, '<name>')` below the folder; the build puts them flat beside main.js. */
export function findThreads(folder: string): Record<string, string> {
  const entries: Record<string, string> = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !/\.ts$/.test(entry.name) || /\.test\.ts$/.test(entry.name)) continue
    if (/[/\\](node_modules|dist)[/\\]/.test(path)) continue
    for (const match of readFileSync(path, 'utf8').matchAll(THREAD)) {
      const name = match[1] as string
      const source = join(entry.parentPath, `${name}.ts`)
      if (entries[name] !== undefined && entries[name] !== source) throw new Error(`two threads are called ${name}`)
      entries[basename(name)] = source
    }
  }
  return entries
}
