// A script of the tests as a process of its own, bundled beside the built edge: loading sources one by one takes longer than the test.

import { renameSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { buildEdge } from './edge-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

/**
 * The threads of the store are found beside it. Answers the file to run. It appears whole: both engines' phases may make it at
 * the same time, and start it.
 */
export async function buildTestScript(script: string): Promise<string> {
  await buildEdge()
  const outfile = join(ROOT, 'edge/dist', basename(script).replace('.ts', '.test-script.js'))
  const format = { platform: 'node', format: 'esm', target: 'node20' } as const
  const options = { bundle: true, packages: 'external', ...format, logLevel: 'warning' } as const
  const made = `${outfile}.${process.pid}`
  await build({ entryPoints: [script], outfile: made, ...options })
  renameSync(made, outfile)
  return outfile
}
