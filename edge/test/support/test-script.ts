// A script of the tests as a process of its own, bundled beside the built edge: loading sources one by one takes longer than the test.

import { renameSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { PROGRAM } from '../../../tools/build/bundle.ts'
import { buildEdge } from './edge-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

/**
 * The threads of the store are found beside it. Answers the file to run. It appears whole: both engines' phases may make it at
 * the same time, and start it.
 */
export async function buildTestScript(script: string): Promise<string> {
  await buildEdge()
  const outfile = join(ROOT, 'edge/dist', basename(script).replace('.ts', '.test-script.js'))
  const made = `${outfile}.${process.pid}`
  await build({ ...PROGRAM, entryPoints: [script], outfile: made })
  renameSync(made, outfile)
  return outfile
}
