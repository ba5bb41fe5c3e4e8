// Seals every sealed value again under the first master key.

import {
  SEALED_TABLES,
  type SealedTable,
  type SealedText,
  type SecretRotations,
} from '../../domain/tenant/secret-rotation.ts'
import type { Sealer } from '../../lib/seal.ts'

export interface ResealSecretsDeps {
  rotations: Pick<SecretRotations, 'listSealed' | 'reseal'>
  sealer: Pick<Sealer, 'seal' | 'open' | 'isCurrent'>
}

const PAGE = 100

/**
 * Seals all values under the first master key. Each value is its own write, conditional on the value that was read, so a
 * server may run meanwhile. After a crash it can be repeated: values that are sealed already are skipped.
 * @returns The number of values that were sealed again.
 */
export async function resealSecrets(deps: ResealSecretsDeps): Promise<number> {
  let resealed = 0
  for (const table of SEALED_TABLES) resealed += await resealTable(deps, table)
  return resealed
}

async function resealTable({ rotations, sealer }: ResealSecretsDeps, table: SealedTable): Promise<number> {
  let resealed = 0
  let after: SealedText | null = null
  for (;;) {
    const page: SealedText[] = await rotations.listSealed(after, PAGE, table)
    for (const text of page) {
      after = text
      if (sealer.isCurrent(text.sealed)) continue
      if (await rotations.reseal(text, await sealer.seal(await sealer.open(text.sealed)), table)) resealed++
    }
    if (page.length < PAGE) return resealed
  }
}
