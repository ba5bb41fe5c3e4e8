// Serves the demo page's built files under one strict content security policy.

import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pageAt } from './page-paths.ts'

/** The page as Vite built it (vite.config.ts): the same folder from the source and from `demo/dist/main.js`. */
const PAGE = fileURLToPath(new URL('../dist/page/', import.meta.url))

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
}

export interface PageFile {
  body: Uint8Array
  type: string
}

export interface PageFiles {
  find(path: string): PageFile | undefined
  headers: Record<string, string>
}

/** Reads the built page. @throws when the page was not built */
export async function loadPageFiles(publicUrl: string): Promise<PageFiles> {
  const files = new Map<string, PageFile>()
  for (const entry of await readdir(PAGE, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const bytes = await readFile(path)
    const body = entry.name.endsWith('.html') ? belowPath(bytes, publicUrl) : bytes
    files.set(`/${relative(PAGE, path).split(sep).join('/')}`, { body, type })
  }
  return {
    find: (path) => files.get(pageAt(path) ?? path),
    headers: {
      'content-security-policy': contentPolicy(publicUrl),
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  }
}

/** Writes the path of the public address before the addresses of this site that a document names. */
function belowPath(html: Buffer, publicUrl: string): Buffer {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  return base === '' ? html : Buffer.from(html.toString().replace(/((?:src|href)=")\//g, `$1${base}/`))
}

/**
 * Builds the policy of a careful customer: no inline script or style, no eval, Trusted Types. Pictures may come from
 * anywhere.
 */
function contentPolicy(publicUrl: string): string {
  const { origin } = new URL(publicUrl)
  const socketOrigin = origin.replace(/^http/, 'ws')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https: data:",
    `connect-src 'self' ${origin} ${socketOrigin}`,
    // For the gallery's frames.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}
