// Runs the command line (`npm run nc`): from its sources, or as built where the packages that compile are not installed.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const hasSources = existsSync(resolve(root, 'node_modules/tsx/package.json'))

if (hasSources) (await import('tsx/esm/api')).register()
else process.setSourceMapsEnabled(true)
// Imports by URL, because the built file does not exist in a fresh clone.
await import(new URL(hasSources ? '../edge/cli/nc.ts' : '../edge/dist/nc.js', import.meta.url).href)
