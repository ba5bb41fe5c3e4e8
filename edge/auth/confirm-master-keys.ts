// Says at the start that the master key is not the one of this store, before anybody is served with it (contract section 12, `MASTER_KEY`).

import type { SecretRotations } from '../domain/tenant/secret-rotation.ts'
import { type Sealer, sealedUnder } from '../lib/seal.ts'

const PAGE = 100

/**
 * Throws a text for the operator when the store has sealed secrets and none of them is under a key of ours: the key was left
 * out, mistyped, or a new one was made where the old file is missing. A single one of ours is enough: what an unfinished
 * rotation left behind is the doctor's to find, and no reason to serve nobody.
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
