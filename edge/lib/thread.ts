// Starts a worker thread or a child process from a sibling module: `.ts` source in tests and development, a bundled `.js`
// entry in a build.

import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type * as Esbuild from 'esbuild'

/** @returns The URL of a program next to the module `from` (pass `import.meta.url`); the build puts all programs in one folder. */
export function threadUrl(from: string, name: string): URL {
  return new URL(from.endsWith('.ts') ? `./${name}.ts` : `./${name}.js`, from)
}

/** Starts the thread. Node 20 cannot load `.ts` in a worker by itself, so source is bundled first. */
export function startThread(url: URL, workerData: unknown): Worker {
  if (!url.pathname.endsWith('.ts')) return new Worker(url, { workerData })
  return new Worker(bundleFile(url), { workerData, execArgv: [] })
}

/** Starts the process, without any variable of this one's environment. `flags` are those of Node. */
export function startProcess(url: URL, flags: string[]): ChildProcess {
  const file = url.pathname.endsWith('.ts') ? bundleFile(url) : fileURLToPath(url)
  return fork(file, [], {
    env: {},
    execArgv: flags,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

const PACKAGES_WITH_BINARIES = ['better-sqlite3', 'libsql', 'mrml', '@css-inline/css-inline']
const files = new Map<string, string>()

/**
 * Bundles the source once per process: loading tsx in every thread takes a third of a second each, and tests start thousands.
 * Writes the file where packages are found by name. Test processes write the same at once.
 */
function bundleFile(url: URL): string {
  const known = files.get(url.href)
  if (known !== undefined) return known
  const require = createRequire(import.meta.url)
  const { buildSync }: typeof Esbuild = require('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(url)],
    bundle: true,
    // Each thread parses it.
    minifyWhitespace: true,
    write: false,
    external: PACKAGES_WITH_BINARIES,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    define: { 'import.meta.url': JSON.stringify(url.href) },
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(${JSON.stringify(url.href)})`,
    },
  })
  const code = outputFiles?.[0]?.text ?? ''
  const folder = join(dirname(dirname(require.resolve('esbuild/package.json'))), '.cache', 'notification-center')
  const file = join(folder, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`)
  mkdirSync(folder, { recursive: true })
  const written = `${file}.${process.pid}`
  writeFileSync(written, code)
  renameSync(written, file)
  files.set(url.href, file)
  return file
}
