// Serves the demo page's HTML, bundled scripts and style sheet under one strict content security policy.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const PAGE = fileURLToPath(new URL('../page/', import.meta.url))

/** Paths of the shop for which the page has content. */
const SHOP_PATHS = /^\/(?:$|care$|basket$|(?:orders|invoices|plants)\/[^/]+$)/

/** States of the element in the gallery; the page itself reports an unknown one. */
const STATE_PATHS = /^\/gallery\/[a-z0-9-]+$/

export interface PageFile {
  body: Uint8Array | string
  type: string
}

export interface PageFiles {
  find(path: string): PageFile | undefined
  headers: Record<string, string>
}

/**
 * Bundles the page in memory in about 50 ms, so that no output can be stale. `early.js` runs before the widget's script and
 * watches fetch and WebSocket; `main.js` is the shop and the workbench.
 */
export async function loadPageFiles(publicUrl: string): Promise<PageFiles> {
  const bundle = await build({
    entryPoints: {
      early: `${PAGE}early.ts`,
      main: `${PAGE}main.ts`,
      themes: `${PAGE}themes.ts`,
      gallery: `${PAGE}gallery.ts`,
      'gallery-state': `${PAGE}gallery-state.ts`,
      page: `${PAGE}styles/page.css`,
    },
    bundle: true,
    write: false,
    outdir: '/',
    format: 'iife',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
  })
  const files = new Map<string, PageFile>()
  for (const file of bundle.outputFiles) {
    const name = file.path.replace(/^.*[/\\]/, '')
    const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
    files.set(`/demo/assets/${name}`, { body: file.contents, type })
  }
  for (const picture of ['icon.svg', 'gallery/ada.svg', 'gallery/fern.svg']) {
    const name = picture.replace(/^.*\//, '')
    files.set(`/demo/assets/${name}`, { body: await readFile(`${PAGE}${picture}`), type: 'image/svg+xml' })
  }
  const page = async (name: string): Promise<PageFile> => ({
    body: await readFile(`${PAGE}${name}.html`, 'utf8'),
    type: 'text/html; charset=utf-8',
  })
  const html = await page('index')
  files.set('/themes', await page('themes'))
  files.set('/gallery', await page('gallery'))
  const state = await page('gallery-state')
  return {
    find: (path) => files.get(path) ?? (SHOP_PATHS.test(path) ? html : STATE_PATHS.test(path) ? state : undefined),
    headers: {
      'content-security-policy': contentPolicy(publicUrl),
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  }
}

/**
 * Builds the policy of a careful customer: no inline script or style, no eval, Trusted Types. Pictures may come from
 * anywhere.
 */
function contentPolicy(publicUrl: string): string {
  const socketUrl = publicUrl.replace(/^http/, 'ws')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https: data:",
    `connect-src 'self' ${publicUrl} ${socketUrl}`,
    // For the gallery's frames.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}
