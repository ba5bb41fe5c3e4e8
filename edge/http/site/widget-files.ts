// Serves the files of the widget at /widget/ and /widget/<version>/, to any origin.

import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { LIMITS } from '../../../contract/limits.ts'
import type { Http } from '../http.ts'
import { addFileRoute, fileAnswer, findContentType, type ServedFile, toServedFile } from './file-route.ts'

/** The built files by their path inside `dist`, with `/` as separator. */
export type WidgetFiles = ReadonlyMap<string, ServedFile>

/** Reads the built widget, without files that are not served. @returns An empty map when the widget was not built. */
export async function readWidgetFiles(dist: string): Promise<WidgetFiles> {
  const files = new Map<string, ServedFile>()
  const entries = await readdir(dist, { recursive: true, withFileTypes: true }).catch(noneWhenMissing)
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const type = findContentType(entry.name)
    if (!entry.isFile() || entry.name.startsWith('.') || type === undefined) continue
    files.set(relative(dist, path).split(sep).join('/'), await toServedFile(await readFile(path), type))
  }
  return files
}

function noneWhenMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

const PREFIX = '/widget/'
const SHORT = 'public, max-age=300, stale-while-revalidate=86400'
const IMMUTABLE = 'public, max-age=31536000, immutable'
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
}

export interface WidgetFilesDeps {
  widgetFiles: WidgetFiles
  /** The only version of this deployment; paths of other versions are answered 404. */
  widgetVersion: string
}

export function addWidgetFiles(http: Http, deps: WidgetFilesDeps): void {
  const pinned = `${deps.widgetVersion}/`
  addFileRoute(http, `${PREFIX}*`, (c) => {
    const path = c.req.path.slice(PREFIX.length, LIMITS.headerBytes)
    const isPinned = path.startsWith(pinned)
    const file = deps.widgetFiles.get(isPinned ? path.slice(pinned.length) : path)
    if (file === undefined) return undefined
    return fileAnswer(c, file, { ...ANY_ORIGIN, 'cache-control': isPinned ? IMMUTABLE : SHORT })
  })
}
