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
  const code = bundle(url, ['better-sqlite3', 'libsql'], {
    // A `data:` module cannot import packages by name, so drivers are resolved from the folder of the source.
    supported: { 'dynamic-import': false },
  })
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData, execArgv: [] })
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

const bundles = new Map<string, string>()

// Bundled once per process: loading tsx in every thread takes a third of a second each, and tests start thousands.
function bundle(url: URL, external: string[], options: Esbuild.BuildOptions = {}): string {
  const known = bundles.get(url.href)
  if (known !== undefined) return known
  const { buildSync }: typeof Esbuild = createRequire(import.meta.url)('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(url)],
    bundle: true,
    write: false,
    external,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    define: { 'import.meta.url': JSON.stringify(url.href) },
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(${JSON.stringify(url.href)})`,
    },
    ...options,
  })
  const code = outputFiles?.[0]?.text ?? ''
  bundles.set(url.href, code)
  return code
}

/** Writes the bundle where its packages with binaries are found by name. Test processes write the same at once. */
function bundleFile(url: URL): string {
  const code = bundle(url, ['mrml', '@css-inline/css-inline'])
  const packages = dirname(dirname(createRequire(import.meta.url).resolve('esbuild/package.json')))
  const folder = join(packages, '.cache', 'notification-center')
  const file = join(folder, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`)
  mkdirSync(folder, { recursive: true })
  const written = `${file}.${process.pid}`
  writeFileSync(written, code)
  renameSync(written, file)
  return file
}
