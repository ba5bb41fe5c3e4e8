// Starts a worker thread from a sibling module: `.ts` source in tests and development, a bundled `.js` entry in a build.

import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type * as Esbuild from 'esbuild'

/** @returns The URL of a thread entry next to the module `from` (pass `import.meta.url`); the build puts all entries in one folder. */
export function threadUrl(from: string, name: string): URL {
  return new URL(from.endsWith('.ts') ? `./${name}.ts` : `./${name}.js`, from)
}

/** Starts the thread. Node 20 cannot load `.ts` in a worker by itself, so source is bundled first. */
export function startThread(url: URL, workerData: unknown): Worker {
  if (!url.pathname.endsWith('.ts')) return new Worker(url, { workerData })
  return new Worker(bundled(url), { workerData, execArgv: [] })
}

const bundles = new Map<string, URL>()

// Bundled once per process: loading tsx in every thread takes a third of a second each, and tests start thousands.
function bundled(url: URL): URL {
  const known = bundles.get(url.href)
  if (known !== undefined) return known
  const { buildSync }: typeof Esbuild = createRequire(import.meta.url)('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(url)],
    bundle: true,
    write: false,
    external: ['better-sqlite3', 'libsql'],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    define: { 'import.meta.url': JSON.stringify(url.href) },
    // A `data:` module cannot import packages by name, so drivers are resolved from the folder of the source.
    supported: { 'dynamic-import': false },
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(url.href)})`,
    },
  })
  const bundleUrl = new URL(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`)
  bundles.set(url.href, bundleUrl)
  return bundleUrl
}
