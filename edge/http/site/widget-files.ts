// Serves the files of the widget at /widget/ and /widget/<version>/, to any origin.

import { LIMITS } from '../../../contract/limits.ts'
import type { Http } from '../kernel/http.ts'
import { addFileRoute, fileAnswer } from './file-route.ts'
import type { ServedFiles } from './served-folder.ts'

const PREFIX = '/widget/'
const SHORT = 'public, max-age=300, stale-while-revalidate=86400'
const IMMUTABLE = 'public, max-age=31536000, immutable'
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
}

/** @param version The only one of this deployment; paths of other versions are answered 404. */
export function addWidgetFiles(http: Http, files: ServedFiles, version: string): void {
  const pinned = `${version}/`
  addFileRoute(http, `${PREFIX}*`, (c) => {
    const path = c.req.path.slice(PREFIX.length, LIMITS.headerBytes)
    const isPinned = path.startsWith(pinned)
    const file = files.get(isPinned ? path.slice(pinned.length) : path)
    if (file === undefined) return undefined
    return fileAnswer(c, file, { ...ANY_ORIGIN, 'cache-control': isPinned ? IMMUTABLE : SHORT })
  })
}
