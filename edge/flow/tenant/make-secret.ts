// Makes the row of a new value of a secret, of an environment or of a source.

import { isSourceKind, type Secret, type StoredSecretKind } from '../../domain/secret.ts'
import type { Clock } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import type { IdSource } from '../../lib/id.ts'

export interface MakeSecretDeps {
  ids: { secret: Pick<IdSource, 'next'> }
  clock: Clock
  /** Seals a value under the master key. */
  seal(value: string): Promise<string>
}

/** @returns A live value that was never used, as it is stored: plain to show it, sealed to open it, or its hash alone. */
export async function makeSecret(
  { ids, clock, seal }: MakeSecretDeps,
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
