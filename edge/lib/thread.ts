// Starts a worker thread from a sibling module: `.ts` source in tests and development, a bundled `.js` entry in a build.

import { Worker } from 'node:worker_threads'

/** The address of a thread's entry beside the module `from` (pass `import.meta.url`); the build bundles each entry flat. */
export function threadUrl(from: string, name: string): URL {
  return new URL(from.endsWith('.ts') ? `./${name}.ts` : `./${name}.js`, from)
}

/** Starts the thread. Node 20 cannot load `.ts` in a worker by itself, so source goes through tsx. */
export function startThread(url: URL, workerData: unknown): Worker {
  if (!url.pathname.endsWith('.ts')) return new Worker(url, { workerData })
  const tsx = import.meta.resolve('tsx/esm/api')
  const load = `import(${JSON.stringify(tsx)}).then(({ register }) => { register(); return import(${JSON.stringify(url.href)}) })`
  return new Worker(load, { eval: true, workerData, execArgv: [] })
}
