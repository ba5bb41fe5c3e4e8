// Tests the rotation of the master key, in both of its forms, also when killed in between.

import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadMasterKeys, rotateMasterKeyFile } from '../../auth/master-key.ts'
import type { SecretRotations } from '../../domain/tenant/secret-rotation.ts'
import { createSealer } from '../../lib/seal.ts'
import { type GivenAuth, givenAuth } from '../../test/support/given-auth.ts'
import { resealSecrets } from './reseal-secrets.ts'

let given: GivenAuth
let dataDir: string
let oldKeys: Uint8Array[]
let environmentId: number
const value = 'nc_auth_eu_sealed-under-the-file'
beforeEach(async () => {
  given = await givenAuth()
  dataDir = await mkdtemp(join(tmpdir(), 'nc-master-'))
  oldKeys = await loadMasterKeys(null, dataDir)
  environmentId = given.clock.at
  const times = { createdAt: 1, retiresAt: null, lastUsedAt: null }
  const sealer = createSealer(oldKeys)
  const create = async (id: number) => {
    const sealed = await sealer.seal(`${value}-${id}`)
    const secret = { id, environmentId, kind: 'authSecretKey', hash: `h${id}`, plain: null, sealed, ...times } as const
    await given.stores.secrets.create(secret)
  }
  await Promise.all(Array.from({ length: 230 }, (_, index) => create(index + 1)))
})
afterEach(async () => {
  await given.close()
  await rm(dataDir, { recursive: true })
})

const sealedValues = async () =>
  (await given.stores.secrets.list(environmentId, 'authSecretKey')).map(({ sealed }) => sealed as string)
const fileKeys = async () => (await readFile(join(dataDir, 'master.key'), 'utf8')).trim().split(',')
const rotate = (rotations: Pick<SecretRotations, 'listSealed' | 'reseal'> = given.stores.rotations) =>
  rotateMasterKeyFile(dataDir, (keys) => resealSecrets({ rotations, sealer: createSealer(keys) }))

test('everything opens under the new key alone, nothing under the old one', async () => {
  expect(await rotate()).toEqual({ resealed: 230, resumed: false })
  const keys = await loadMasterKeys(null, dataDir)
  expect(keys).toHaveLength(1)
  expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600)
  const texts = await Promise.all((await sealedValues()).map(createSealer(keys).open))
  expect(new Set(texts)).toEqual(new Set(Array.from({ length: 230 }, (_, index) => `${value}-${index + 1}`)))
  const first = (await sealedValues())[0] as string
  await expect(createSealer(oldKeys).open(first)).rejects.toThrow(/MASTER_KEY lacks/)
})

test('after a crash at any point every value opens with the present file, and the next call finishes', async () => {
  const { rotations } = given.stores
  for (const diesAfter of [0, 1, 150, 70]) {
    let left = diesAfter
    const dying: Pick<SecretRotations, 'listSealed' | 'reseal'> = {
      listSealed: rotations.listSealed,
      reseal: async (...change) => {
        if (left-- === 0) throw new Error('killed')
        return rotations.reseal(...change)
      },
    }
    await rotate(dying).catch((error: Error) => expect(error.message).toBe('killed'))
    const sealer = createSealer(await loadMasterKeys(null, dataDir))
    for (const sealed of await sealedValues()) expect(await sealer.open(sealed)).toContain(value)
    expect(await fileKeys()).toHaveLength(2)
  }
  expect(await rotate()).toEqual({ resealed: 9, resumed: true })
  expect(await fileKeys()).toHaveLength(1)
})

test('values are sealed again under the first key of a list, also during reads; a repeat has no effect', async () => {
  const fresh = new Uint8Array(32).fill(9)
  const sealer = createSealer([fresh, ...oldKeys])
  const reading = createSealer([fresh, ...oldKeys])
  const work = resealSecrets({ rotations: given.stores.rotations, sealer })
  for (const sealed of await sealedValues()) expect(await reading.open(sealed)).toContain(value)

  expect(await work).toBe(230)
  expect(await resealSecrets({ rotations: given.stores.rotations, sealer })).toBe(0)
  for (const sealed of await sealedValues()) expect(await createSealer([fresh]).open(sealed)).toContain(value)
})

test('a value that was replaced meanwhile is unchanged', async () => {
  const [first] = await sealedValues()
  expect(await given.stores.rotations.reseal({ environmentId: 1, id: 230, sealed: 'something else' }, 'lost')).toBe(
    false,
  )
  expect((await sealedValues())[0]).toBe(first)
})
