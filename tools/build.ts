// Bundles the edge and the demo for Node, packs the SDK, and builds the widget, the dashboard and the demo's page (`npm run build`).
// Skips what is up to date.

import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { PROGRAM } from './build/bundle.ts'
import { removeStamp, writeStamp } from './build/fresh.ts'
import { buildNodeSdk } from './build/node-sdk.ts'
import { listParts, listStale, type Part } from './build/parts.ts'

const root = resolve(import.meta.dirname, '..')

async function bundle({ name, entries }: Part): Promise<void> {
  // Source maps name the source files and do not repeat their text, because the files lie beside the output.
  const maps = { sourcemap: true, sourcesContent: false }
  await build({ ...PROGRAM, ...maps, entryPoints: entries, outdir: join(root, name, 'dist') })
}

// Loads Vite only for a stale part: `npm start` calls this script each time.
const byVite = () => import('./build/widget.ts')

const MAKERS: Record<string, (part: Part) => Promise<void>> = {
  edge: bundle,
  demo: async (part) => {
    await bundle(part)
    await (await byVite()).buildPage(root)
  },
  'sdk/node': () => buildNodeSdk(root),
  widget: async () => (await byVite()).buildWidget(root),
  dashboard: async () => (await import('./build/dashboard.ts')).buildDashboard(root),
}

// `npm run build -- sdk/node` builds that part alone.
const wanted = process.argv.slice(2)
const parts = listParts(root).filter(({ name }) => wanted.length === 0 || wanted.includes(name))
for (const part of listStale(root, parts)) {
  const dist = join(root, part.name, 'dist')
  const begun = performance.now()
  mkdirSync(dist, { recursive: true })
  removeStamp(dist)
  await MAKERS[part.name]?.(part)
  writeStamp(dist, part.stamp)
  console.log(`built ${part.name} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}
