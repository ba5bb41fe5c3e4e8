// Provides the git history for tests that need an older version of a file (docs/testing.md).

import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../../..')
const FETCH_LIMIT_MS = 60_000

/**
 * Fetches the rest of a shallow clone.
 * @throws with the remedy when there is no repository, or its origin does not answer
 */
export async function fetchFullHistory(): Promise<void> {
  const isShallow = await git('rev-parse', '--is-shallow-repository').catch((error: unknown) => {
    throw new Error(
      'The release before this one is taken from the history of git, which is not here. Clone the repository.',
      {
        cause: error,
      },
    )
  })
  if (isShallow.trim() !== 'true') return
  await git('fetch', '--quiet', '--unshallow').catch((error: unknown) => {
    throw new Error(
      'This clone is shallow and has no release before this one; its origin does not answer. Run `git fetch --unshallow`.',
      { cause: error },
    )
  })
}

/** Runs git. @returns its standard output */
export async function git(...args: string[]): Promise<string> {
  const options = { cwd: ROOT, timeout: FETCH_LIMIT_MS, maxBuffer: 16 * 1024 * 1024 }
  return (await promisify(execFile)('git', args, options)).stdout
}
