// Bundles a test script next to the built edge, because loading its sources would take longer than the test.

import { renameSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { PROGRAM } from '../../../tools/build/bundle.ts'
import { buildEdge } from './edge-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

/**
 * Bundles the script into the folder that has the store's threads. Both engines' phases may build and start it at the
 * same time, so it is renamed when complete. @returns the file to run
 */
export async function buildTestScript(script: string): Promise<string> {
  await buildEdge()
  const outfile = join(ROOT, 'edge/dist', basename(script).replace('.ts', '.test-script.js'))
  const unfinished = `${outfile}.${process.pid}`
  await build({ ...PROGRAM, entryPoints: [script], outfile: unfinished })
  renameSync(unfinished, outfile)
  return outfile
}
