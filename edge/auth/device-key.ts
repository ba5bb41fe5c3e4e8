// Derives the keys that sign device cookies from the master keys, so that all nodes have the same ones.

import { deriveKey } from '../lib/seal.ts'

/** @returns A key for each master key, in their order: the cookies of before a rotation stay valid while their key is set. */
export function deriveDeviceKeys(masterKeys: readonly Uint8Array[]): [Uint8Array, ...Uint8Array[]] {
  const [first, ...others] = masterKeys.map((key) => deriveKey(key, 'notification-center/device'))
  if (first === undefined) throw new Error('device keys not derived: no master key')
  return [first, ...others]
}
