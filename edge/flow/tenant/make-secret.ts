// Makes the row of a new value of a secret, of an environment or of a source.

import type { Core, Ids } from '../../domain/core.ts'
import { isSourceKind, type Secret, type StoredSecretKind } from '../../domain/secret.ts'
import { sha256Hex } from '../../lib/hmac.ts'

/** @returns A live value that was never used, as it is stored: plain to show it, sealed to open it, or its hash alone. */
export async function makeSecret(
  { ids, clock, seal }: Pick<Core, 'clock' | 'seal'> & { ids: Pick<Ids, 'secret'> },
  environmentId: number,
  kind: StoredSecretKind,
  value: string,
): Promise<Secret> {
  const id = ids.secret.next()
  const isSealed = kind !== 'frontApiKey' && kind !== 'sdkSecretKey'
  return {
    id,
    environmentId,
    kind,
    // The values of a source are never found by their hash, and people may give the same one again.
    hash: sha256Hex(isSourceKind(kind) ? `${id} ${value}` : value),
    plain: kind === 'frontApiKey' ? value : null,
    sealed: isSealed ? await seal(value) : null,
    createdAt: clock.now(),
    retiresAt: null,
    lastUsedAt: null,
  }
}
