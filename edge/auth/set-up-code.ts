// Derives the code of the first set-up from the master key, so that all nodes have the same one and none stores it.

import { deriveKey } from '../lib/seal.ts'

const CODE_BYTES = 24

/** @returns The code of a store: the same on all nodes and after a restart. A command prints it (docs/dashboard.md#set-up). */
export function deriveSetUpCode(masterKeys: readonly Uint8Array[], storeEpoch: string): string {
  const bytes = deriveKey(masterKeys[0] as Uint8Array, `notification-center/set-up/${storeEpoch}`)
  return `nc_setup_${Buffer.from(bytes.subarray(0, CODE_BYTES)).toString('base64url')}`
}
