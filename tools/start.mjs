// Builds what is stale, then runs the edge and the demo in this process, so that signals reach it (`npm start`).

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { runBuild } from './build/run-build.mjs'

const root = resolve(import.meta.dirname, '..')
// The demo imports the SDK from its source, so the SDK's package is not built.
const PARTS = ['edge', 'demo', 'widget', 'dashboard']

const isBuilt = PARTS.every((part) => existsSync(resolve(root, part, 'dist')))
const canBuild = hasPackage('tsx') && hasPackage('vite')

if (!canBuild && !isBuilt) {
  console.error(
    'Nothing is built, and the packages that build are not installed (npm ci --omit=dev). Run npm ci && npm run build; after that, npm ci --omit=dev removes them again.',
  )
  process.exit(1)
}
if (!canBuild) console.log('Starting what was built before: the packages that build are not installed.')
else if (!isBuilt) console.log('First start: building the edge, the demo, the widget and the dashboard.')
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const stopping = new AbortController()
const stop = (signal) => stopping.abort(signal)
for (const signal of STOP_SIGNALS) process.on(signal, stop)
const status = canBuild ? await runBuild(PARTS, stopping.signal) : 0
if (stopping.signal.aborted) process.exit(0)
if (status !== 0) {
  console.error('The build failed; see above.')
  process.exit(status ?? 1)
}
// From here on the program handles the signals itself.
for (const signal of STOP_SIGNALS) process.off(signal, stop)
process.setSourceMapsEnabled(true)
// Imports by URL: in a fresh clone the file does not exist before the build, and the import check must not report it.
await import(new URL('../demo/dist/main.js', import.meta.url).href)

/** @param {string} name */
function hasPackage(name) {
  return existsSync(resolve(root, 'node_modules', name, 'package.json'))
}
