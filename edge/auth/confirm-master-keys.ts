// Checks at the start that the master keys belong to this store.

import {
  SEALED_TABLES,
  type SealedPlace,
  type SealedTable,
  type SecretRotations,
} from '../domain/tenant/secret-rotation.ts'
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
  let count = 0
  for (const table of SEALED_TABLES) {
    let page: Awaited<ReturnType<typeof readPage>> = []
    do {
      page = await readPage(rotations, page.at(-1) ?? null, table)
      if (page.some(({ sealed }) => keyIds.includes(sealedUnder(sealed)))) return
      count += page.length
    } while (page.length === PAGE)
  }
  if (count === 0) return
  throw new Error(
    'MASTER_KEY opens no secret of this store. Set it to the key that sealed them (without MASTER_KEY: restore master.key in DATA_DIR), or to a list that has it.',
  )
}

function readPage(rotations: Pick<SecretRotations, 'listSealed'>, after: SealedPlace | null, table: SealedTable) {
  return rotations.listSealed(after, PAGE, table)
}
