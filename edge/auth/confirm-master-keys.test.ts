// Tests that a start compares its master keys with every sealed table, not with secrets of environments alone.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSealer } from '../lib/seal.ts'
import { type GivenAuth, givenAuth } from '../test/support/given-auth.ts'
import { confirmMasterKeys } from './confirm-master-keys.ts'

const [own, other] = [createSealer([new Uint8Array(32).fill(1)]), createSealer([new Uint8Array(32).fill(2)])]

let given: GivenAuth
beforeEach(async () => {
  given = await givenAuth()
})
afterEach(() => given.close())

test('a store without a sealed text takes any key', async () => {
  await confirmMasterKeys(given.stores.rotations, own)
})

test('a store whose only sealed text is a secret of one-time codes takes the key that opens it', async () => {
  const totp = { personId: 1, sealed: await own.seal('a secret'), lastStep: 0, createdAt: 1, confirmedAt: null }
  await given.stores.secondFactors.begin(totp)
  await confirmMasterKeys(given.stores.rotations, own)
  await expect(confirmMasterKeys(given.stores.rotations, other)).rejects.toThrow('MASTER_KEY opens no secret')
})
