// Runs Vite's build for environments of vite.config.ts.

import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { createBuilder } from 'vite'

/** Vite reads them in the path of a folder as parts of an address, and then misses files. */
const UNFIT = /[#?*]/
/** What the environments build, and what builds them. */
const SOURCES = [
  'contract',
  'dashboard',
  'demo',
  'edge',
  'sdk',
  'widget',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
]
const NO_SOURCES = new Set(['node_modules', 'dist', 'data', 'vendor', 'target'])

/**
 * @param names Environments, built one after the other.
 * @param base Where scripts find other files: `./` beside themselves, for a service below a path of its host.
 * @throws for a name that vite.config.ts does not have
 */
export async function runVite(root: string, names: string[], base = '/'): Promise<void> {
  // Under another value, Vite resolves Lit's development build, which is larger and warns on the console.
  process.env.NODE_ENV = 'production'
  const place = UNFIT.test(root) ? copySources(root) : root
  try {
    const builder = await createBuilder({ configFile: join(place, 'vite.config.ts'), base }, null)
    for (const name of names) {
      const environment = builder.environments[name]
      if (environment === undefined) throw new Error(`vite.config.ts has no environment ${name}`)
      await builder.build(environment)
      const { outDir } = environment.config.build
      if (place !== root) cpSync(outDir, join(root, relative(place, outDir)), { recursive: true })
    }
  } finally {
    if (place !== root) rmSync(place, { recursive: true, force: true })
  }
}

/** @returns a temporary folder with the sources and a link to the packages */
function copySources(root: string): string {
  const place = mkdtempSync(join(tmpdir(), 'nc-build-'))
  const filter = (path: string) => !NO_SOURCES.has(basename(path))
  for (const name of SOURCES) cpSync(join(root, name), join(place, name), { recursive: true, filter })
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  return place
}
