// Serves the dashboard: its documents, under a strict policy, and its files with hashed names.

import { LIMITS } from '../../../contract/limits.ts'
import type { AnswerHeaders } from '../kernel/answer.ts'
import type { Http } from '../kernel/http.ts'
import type { Services } from '../kernel/services.ts'
import { basePathOf } from '../node/path-prefix.ts'
import { addFileRoute, fileAnswer, type ServedFile, toServedFile } from './file-route.ts'
import { addMailFrame } from './mail-frame.ts'
import type { ServedFiles } from './served-folder.ts'

/** The documents by path. They are equal but for the files that they name; the application reads the address itself. */
const DOCUMENTS = [
  ['/sign-in', 'sign-in.html'],
  ['/org/:org/app/inbox', 'history.html'],
  ['/org/:org/app/home', 'home.html'],
  // It leads to the home of an organisation.
  ['/dashboard', 'home.html'],
  ['/org/*', 'index.html'],
  ['/dashboard/*', 'index.html'],
] as const
const ASSETS = '/dashboard/assets/'

/**
 * Allows scripts, styles and calls of this origin alone, and no text as script or markup except by Lit's own policy.
 * Pictures of messages may come from anywhere by HTTPS.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ')

const HEADERS: AnswerHeaders = {
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}
const IMMUTABLE: AnswerHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
}

/** Without a build of the dashboard, all of its paths are answered 404; the documents get the path of the address for browsers. */
export function addDashboardFiles(http: Http, { publicUrl }: Pick<Services, 'publicUrl'>, files: ServedFiles): void {
  addFileRoute(http, `${ASSETS}*`, (c) => {
    const file = files.get(c.req.path.slice(1, LIMITS.headerBytes))
    return file === undefined ? undefined : fileAnswer(c, file, IMMUTABLE)
  })
  // Before the documents, of which one has all paths below /dashboard.
  addMailFrame(http)
  for (const [path, name] of DOCUMENTS) {
    const page = belowPath(files.get(name), basePathOf(publicUrl()))
    addFileRoute(http, path, (c) => (page === undefined ? undefined : fileAnswer(c, page, HEADERS)))
  }
}

/** @returns The document with the path before the addresses of this service that it names. */
function belowPath(page: ServedFile | undefined, basePath: string): ServedFile | undefined {
  if (page === undefined || basePath === '') return page
  const text = Buffer.from(page.plain).toString()
  return toServedFile(Buffer.from(text.replace(/((?:src|href)=")\//g, `$1${basePath}/`)), page.type)
}
