// Finds the environments of the demo, whose mails stay in the mailbox also in production.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** @returns a check of ids on the wire, which is false for all environments of a server without the demo */
export function createIsOfDemo({ seedDemo, dataDir }: { seedDemo: unknown; dataDir: string }) {
  let ids: ReadonlySet<string> | undefined
  return async function isOfDemo(environmentId: string): Promise<boolean> {
    if (seedDemo === false) return false
    ids ??= await readIds(join(dataDir, 'demo.json'))
    return ids?.has(environmentId) === true
  }
}

/** @returns undefined without the file: the first start is not over */
async function readIds(path: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const { environments } = JSON.parse(await readFile(path, 'utf8')) as {
      environments: Record<string, { id: string }>
    }
    return new Set(Object.values(environments).map(({ id }) => id))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`demo file unreadable: ${path}`, { cause: error })
  }
}
