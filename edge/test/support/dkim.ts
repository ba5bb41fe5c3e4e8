// Signs and verifies DKIM in tests: a key with its DNS record, and a verifier that is not the code under test.

import { generateKeyPairSync } from 'node:crypto'
import { createRequire } from 'node:module'

interface DkimVerdict {
  status: { result: string }
  signingDomain: string
  signingHeaders: { keys: string }
}
// The package has no types.
const { dkimVerify } = createRequire(import.meta.url)('mailauth/lib/dkim/verify.js') as {
  dkimVerify(
    raw: Buffer,
    options: { resolver: (name: string, type: string) => Promise<string[][]> },
  ): Promise<{ results: DkimVerdict[] }>
}

export function makeDkimKey(): { pem: string; record: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    pem: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    record: `v=DKIM1; k=rsa; p=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`,
  }
}

/** @returns the verdict on each signature, and the DNS names that were asked, each of which answers `record` */
export async function verifyDkim(raw: Buffer, record: string): Promise<{ verdicts: DkimVerdict[]; asked: string[] }> {
  const asked: string[] = []
  const resolver = async (name: string) => {
    asked.push(name)
    return [[record]]
  }
  return { verdicts: (await dkimVerify(raw, { resolver })).results, asked }
}
