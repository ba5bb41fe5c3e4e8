// Reads and writes `DATA_DIR/demo.json`, with which a script can drive a fresh server at once.
// It holds secrets, so only its owner can read it.

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

/** @returns undefined when there is none */
export async function readDemoFile(path: string): Promise<DemoFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as DemoFile
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read as JSON`, { cause: error })
  }
}

/** Writes the whole file before it gets its name. @throws an error that names the path when the disk is full */
export async function writeDemoFile(path: string, demo: DemoFile): Promise<void> {
  // Each write has its own name, because nodes that share the folder may write at the same time.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw explainFull(error, path)
  }
}
