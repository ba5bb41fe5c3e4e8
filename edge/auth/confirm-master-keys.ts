// Checks at the start that the master keys belong to this store.

import type { SecretRotations } from '../domain/tenant/secret-rotation.ts'
import { type Sealer, sealedUnder } from '../lib/seal.ts'

const PAGE = 100

/**
 * Passes when one secret is sealed with a given key: `nc doctor` finds the rest of an unfinished rotation, which must not
 * prevent a start.
 * @throws Error for the operator when none is: the key is missing, mistyped, or was generated where the old file is missing.
 */
export async function confirmMasterKeys(
  rotations: Pick<SecretRotations, 'listSealed'>,
  { keyIds }: Pick<Sealer, 'keyIds'>,
): Promise<void> {
  let afterId = 0
  for (;;) {
    const page = await rotations.listSealed(afterId, PAGE)
    if (page.some(({ sealed }) => keyIds.includes(sealedUnder(sealed)))) return
    afterId = page.at(-1)?.id ?? 0
    if (page.length === PAGE) continue
    if (afterId === 0) return
    throw new Error(
      'MASTER_KEY opens no secret of this store. Set it to the key that sealed them (without MASTER_KEY: restore master.key in DATA_DIR), or to a list that has it.',
    )
  }
}
