// Builds the previous release, the newest tag, on today's packages; before the first release, the last commit.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { findThreads } from '../../../tools/build/parts.ts'
import type { Program } from '../../../tools/cluster/node.ts'
import { fetchFullHistory, git } from './git-history.ts'

export interface Release {
  /** Short commit hash. */
  commit: string
  /** The number of its last migration. */
  tables: number
  program: Program
  remove(): void
}

const ROOT = resolve(import.meta.dirname, '../../..')
const MIGRATIONS = 'edge/stores/migrations'

/** Builds the newest release, or the last commit. @throws with the remedy when there is no history */
export async function buildRelease(): Promise<Release> {
  const commit = await findCommit()
  const folder = mkdtempSync(join(tmpdir(), 'nc-release-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    await unpack(commit, folder)
    // Its own sources with today's packages, which include all that they need.
    for (const modules of ['node_modules', 'edge/node_modules']) symlinkSync(join(ROOT, modules), join(folder, modules))
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
    return {
      commit,
      tables: await lastMigration(commit),
      program: { args: ['edge/dist/main.js'], cwd: folder },
      remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** Returns the commit of the newest tag of a release before this one, or the last commit when there is none. */
export async function findCommit(): Promise<string> {
  await fetchFullHistory()
  const [newest] = (await git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname')).split('\n')
  return (await git('rev-parse', '--short', newest || 'HEAD')).trim()
}

async function lastMigration(commit: string): Promise<number> {
  const files = await git('ls-tree', '--name-only', commit, `${MIGRATIONS}/`)
  return Math.max(0, ...[...files.matchAll(/\/(\d{4})-[^/]*\.ts$/gm)].map((match) => Number(match[1])))
}

/** Uses a file, because piped output is checked for secrets, and test sources contain invented ones. */
async function unpack(commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'sources.tar')
  await git('archive', '--output', archive, commit, 'package.json', 'contract', 'edge', 'demo/campaigns')
  await promisify(execFile)('tar', ['-x', '-f', archive, '-C', folder])
}
