// `npm run build`: bundles the edge and the demo for Node, packs the SDK, and has the widget build itself. Skips what is fresh.

import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { findThreads } from './build/entries.ts'
import { isFresh, removeStamp, stampOf, writeStamp } from './build/fresh.ts'
import { buildNodeSdk } from './build/node-sdk.ts'

const root = resolve(import.meta.dirname, '..')
// What changes every output: the libraries, and how we build.
const ALWAYS = ['package.json', 'package-lock.json', 'tools/build.ts', 'tools/build']

const SDK_OUTPUTS = ['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts']

interface Part {
  name: string
  inputs: string[]
  /** Files that must be in its `dist`. */
  outputs: string[]
  make(): Promise<void>
}

async function bundle(part: string, entryPoints: Record<string, string>): Promise<void> {
  await build({
    entryPoints,
    outdir: join(root, part, 'dist'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  })
}

// The widget's own build knows how its parts are cut.
async function buildWidget(): Promise<void> {
  const run = spawnSync(process.execPath, ['--import', 'tsx', 'widget/build.mjs'], { cwd: root, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`The widget could not be built.\n${run.stdout}\n${run.stderr}`)
  process.stdout.write(run.stdout)
}

function parts(): Part[] {
  const threads = findThreads(join(root, 'edge'))
  const outputs = ['main.js', ...Object.keys(threads).map((name) => `${name}.js`)]
  const node = (name: string, inputs: string[]): Part => ({
    name,
    inputs,
    outputs,
    make: () => bundle(name, { main: join(root, name, 'main.ts'), ...threads }),
  })
  return [
    node('edge', ['contract', 'edge']),
    node('demo', ['contract', 'edge', 'demo', 'sdk/node']),
    { name: 'sdk/node', inputs: ['sdk/node'], outputs: SDK_OUTPUTS, make: () => buildNodeSdk(root) },
    { name: 'widget', inputs: ['contract', 'widget'], outputs: ['notification-center.js'], make: buildWidget },
  ]
}

// `npm run build -- sdk/node` builds that part alone.
const wanted = process.argv.slice(2)
for (const { name, inputs, outputs, make } of parts()) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const dist = join(root, name, 'dist')
  const stamp = stampOf(root, [...ALWAYS, ...inputs])
  if (isFresh(dist, stamp, outputs)) continue
  const begun = performance.now()
  mkdirSync(dist, { recursive: true })
  removeStamp(dist)
  await make()
  writeStamp(dist, stamp)
  console.log(`built ${name} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}
