// Seals every sealed value anew under the first master key (contract section 12, `MASTER_KEY`).

import type { SecretRotations } from '../domain/tenant/secret-rotation.ts'

export interface ResealSecretsDeps {
  rotations: Pick<SecretRotations, 'listSealed' | 'reseal'>
  sealer: { seal(text: string): string; open(sealed: string): string; isCurrent(sealed: string): boolean }
}

const PAGE = 100

/**
 * Answers how many it sealed anew. Each value is a write of its own which holds only while the value is what was read, so
 * it may run beside a server, be killed at any moment and be begun again: what is done already is passed over.
 */
export async function resealSecrets({ rotations, sealer }: ResealSecretsDeps): Promise<number> {
  let resealed = 0
  let afterId = 0
  for (;;) {
    const page = await rotations.listSealed(afterId, PAGE)
    for (const { id, sealed } of page) {
      afterId = id
      if (sealer.isCurrent(sealed)) continue
      if (await rotations.reseal(id, sealed, sealer.seal(sealer.open(sealed)))) resealed++
    }
    if (page.length < PAGE) return resealed
  }
}
