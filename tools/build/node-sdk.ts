// Builds the package of sdk/node: one file each for `import` and `require`, with everything in it, and types for both.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const FORMATS = [
  { format: 'esm', outfile: 'index.js' },
  { format: 'cjs', outfile: 'index.cjs' },
] as const

/** Builds the package. @throws with the compiler's output when the types cannot be written */
export async function buildNodeSdk(root: string): Promise<void> {
  const dist = join(root, 'sdk/node/dist')
  for (const name of readdirSync(dist)) rmSync(join(dist, name), { recursive: true })
  for (const { format, outfile } of FORMATS) {
    await build({
      entryPoints: [join(root, 'sdk/node/index.ts')],
      outfile: join(dist, outfile),
      bundle: true,
      platform: 'node',
      format,
      target: 'node20',
      logLevel: 'warning',
      banner: { js: '// Contains @cfworker/json-schema: MIT License, see LICENSE.' },
    })
  }
  writeTypes(root, dist)
}

function writeTypes(root: string, dist: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = [compiler, '-p', join(root, 'sdk/node/tsconfig.json')]
  const run = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`The types of sdk/node could not be written.\n${run.stdout}${run.stderr}`)
  for (const entry of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.d.ts')) continue
    const path = join(dist, entry)
    const text = readFileSync(path, 'utf8')
    // The compiler keeps the file names of the sources; ESM and CommonJS need different names.
    writeFileSync(path, text.replaceAll(/(from ['"]\..*?)\.ts(['"])/g, '$1.js$2'))
    writeFileSync(path.replace(/\.ts$/, '.cts'), text.replaceAll(/(from ['"]\..*?)\.ts(['"])/g, '$1.cjs$2'))
  }
}
