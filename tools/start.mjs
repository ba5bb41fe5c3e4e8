// `npm start`: builds what is stale, then runs the edge and the demo in this very process, so that signals reach it.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const dataDir = resolve(process.env.DATA_DIR || 'data')
// The SDK's package is for others: the demo has it from its source.
const PARTS = ['edge', 'demo', 'widget']
const isFirst = !existsSync(resolve(dataDir, 'store.db'))

if (!existsSync(resolve(root, 'demo/dist/main.js')))
  console.log('First start: building the edge, the demo and the widget.')
const build = spawnSync(process.execPath, ['--import', 'tsx', 'tools/build.ts', ...PARTS], {
  cwd: root,
  stdio: 'inherit',
})
if (build.status !== 0) {
  console.error('The build failed; see above.')
  process.exit(build.status ?? 1)
}
console.log(isFirst ? `Creating the demo organisation in ${dataDir}` : `Using the data in ${dataDir}`)
process.setSourceMapsEnabled(true)
// By address: in a fresh clone the file is not there before the build, and the check of imports must not miss it.
await import(new URL('../demo/dist/main.js', import.meta.url).href)
