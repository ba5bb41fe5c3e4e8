// The release before this one, from the history of the repository: the last commit whose tables were of an older version, bundled to run on today's packages.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { findThreads } from '../../../tools/build/entries.ts'
import type { Program } from '../../../tools/cluster/node.ts'
import { git, makeWhole } from './whole-history.ts'

export interface Release {
  /** Short name of its commit. */
  commit: string
  program: Program
  remove(): void
}

const ROOT = resolve(import.meta.dirname, '../../..')
const MIGRATIONS = 'edge/stores/migrations'

/** The last commit that knew `tables` migrations and no more. Throws what to do when the history does not reach back to it. */
export async function buildRelease(tables: number): Promise<Release> {
  const commit = await findCommit(tables)
  const folder = mkdtempSync(join(tmpdir(), 'nc-release-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    await unpack(commit, folder)
    // Its own sources, our libraries: what it needs from its package-lock has not gone since.
    for (const place of ['node_modules', 'edge/node_modules']) symlinkSync(join(ROOT, place), join(folder, place))
    await build({
      entryPoints: { main: join(folder, 'edge/main.ts'), ...findThreads(join(folder, 'edge')) },
      outdir: join(folder, 'edge/dist'),
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'warning',
    })
    return { commit, program: { args: ['edge/dist/main.js'], cwd: folder }, remove }
  } catch (error) {
    remove()
    throw error
  }
}

async function findCommit(tables: number): Promise<string> {
  await makeWhole()
  // One line per commit that added migrations, oldest first, then the names of what it added.
  const format = ['--reverse', '--diff-filter=A', '--name-only', '--format=commit %h']
  const log = await git('log', ...format, 'HEAD', '--', MIGRATIONS)
  let commit = ''
  for (const line of log.split('\n')) {
    if (line.startsWith('commit ')) commit = line.slice('commit '.length)
    else if (Number(/(\d{4})-[^/]*\.ts$/.exec(line)?.[1] ?? 0) > tables)
      return (await git('rev-parse', '--short', `${commit}^`)).trim()
  }
  throw new Error(`No commit of this history has more than ${tables} migrations.`)
}

/** Through a file: what goes over a pipe of ours is read for secrets, and sources of tests have made-up ones. */
async function unpack(commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'sources.tar')
  await git('archive', '--output', archive, commit, 'package.json', 'contract', 'edge')
  await promisify(execFile)('tar', ['-x', '-f', archive, '-C', folder])
}
