// Serves GET /docs, the page of the API reference, with its own CSP and without external resources or telemetry.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Http } from '../kernel/http.ts'
import { addFileRoute, fileAnswer, type ServedFile, toServedFile } from './file-route.ts'

/** Its addresses are relative, because the service may be below a path. */
const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>API reference · Notification service</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The document itself is at <a href="openapi.json">/openapi.json</a>.</noscript>
    <script src="docs/reference.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`

const START = `Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
})
`

/**
 * Forbids all requests to other hosts. Allows inline styles on this page only, because its script writes them.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

export function addDocs(http: Http): void {
  const page = toServedFile(Buffer.from(HTML), 'text/html; charset=utf-8')
  const start = toServedFile(Buffer.from(START), 'text/javascript; charset=utf-8')
  let script: Promise<ServedFile> | undefined
  addFileRoute(http, '/docs', async (c) => fileAnswer(c, page, HEADERS))
  addFileRoute(http, '/docs/start.js', async (c) => fileAnswer(c, start, { 'cache-control': 'no-cache' }))
  addFileRoute(http, '/docs/reference.js', async (c) => {
    script ??= readScript()
    return fileAnswer(c, await script, { 'cache-control': 'no-cache' })
  })
}

// Reads 3.5 MB at the first request, not at the start. Uses the package for Fastify, because it has only the built file:
// `@scalar/api-reference` depends on 250 packages for its build.
async function readScript(): Promise<ServedFile> {
  const library = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  return toServedFile(await readFile(join(dirname(library), 'js/standalone.js')), 'text/javascript; charset=utf-8')
}
