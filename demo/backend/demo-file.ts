// Reads the keys of the demo's backend from `DATA_DIR/demo.json`.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JWK } from 'jose'

export type EnvironmentName = 'dev' | 'prod'
export const ENVIRONMENTS: readonly EnvironmentName[] = ['dev', 'prod']

export interface EnvironmentKeys {
  id: string
  sdkSecretKey: string
  authSecretKey: string
  frontApiKey: string
  webhookSigningSecret: string
}

export interface IdentityProviderKeys {
  issuer: string
  audience: string
  algorithm: string
  kid: string
  privateKeyJwk: JWK
}

export interface SigningKeys {
  algorithm: string
  privateKeyJwk: JWK
}

export interface DemoFile {
  environments: {
    dev: EnvironmentKeys & { identityProvider: IdentityProviderKeys; signedJwt: SigningKeys }
    prod: EnvironmentKeys
  }
  /** Sources of platforms in dev, by platform. */
  sources: Record<string, { id: string; verificationSecret: string }>
  campaigns: Record<string, string>
}

/** @returns undefined when no server with the demo organisation ever started on that folder */
export async function findDemoFile(dataDir: string): Promise<DemoFile | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
