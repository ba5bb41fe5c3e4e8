// Reads and writes `DATA_DIR/demo.json`, which a script needs to use a new server.
// The file contains secrets, so only its owner can read it.

import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { JWK } from 'jose'
import type { SecretValues } from '../flow/tenant/create-environment.ts'
import { explainFull } from '../lib/folder.ts'

interface DemoEnvironment extends SecretValues {
  id: string
}

/** The content of `demo.json`. */
export interface DemoFile {
  organisation: { id: string; name: string }
  dashboard: { email: string; password: string }
  environments: {
    dev: DemoEnvironment & {
      identityProvider: { issuer: string; audience: string; algorithm: string; kid: string; privateKeyJwk: JWK }
      signedJwt: { algorithm: string; privateKeyJwk: JWK }
    }
    prod: DemoEnvironment
  }
  sources: Record<string, { id: string; verificationSecret: string }>
  campaigns: Record<string, string>
}

/** @returns The content; undefined when there is no file. @throws Error when the file is not JSON or cannot be read. */
export async function readDemoFile(path: string): Promise<DemoFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as DemoFile
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`demo file unreadable: ${path}`, { cause: error })
  }
}

/** Writes and renames a temporary file, so that readers get a whole file. @throws Error with the path for a full disk. */
export async function writeDemoFile(path: string, demo: DemoFile): Promise<void> {
  // Each write has its own name, because nodes that share the folder may write at the same time.
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(temporary, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw explainFull(error, path)
  }
}
