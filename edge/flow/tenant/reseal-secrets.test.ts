// Tests the rotation of the master key, in both of its forms, and the conversion of former values, also when killed in between.

import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadMasterKeys, rotateMasterKeyFile } from '../../auth/master-key.ts'
import type { SecretRotations } from '../../domain/tenant/secret-rotation.ts'
import { createLog } from '../../lib/log.ts'
import { createSealer, isFormer, sealedUnder } from '../../lib/seal.ts'
import { type GivenAuth, givenAuth } from '../../test/support/given-auth.ts'
import { sealFormerly } from '../../test/support/seal-formerly.ts'
import { createConvertSecrets, resealSecrets } from './reseal-secrets.ts'

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
  expect(await given.stores.rotations.reseal(230, 'something else', 'lost')).toBe(false)
  expect((await sealedValues())[0]).toBe(first)
})

describe('values that the previous release sealed', () => {
  beforeEach(async () => {
    const { rotations } = given.stores
    for (const { id, sealed } of await rotations.listSealed(0, 1000)) {
      await rotations.reseal(id, sealed, sealFormerly(oldKeys[0] as Uint8Array, `${value}-${id}`))
    }
  })

  /** @returns The count of each run that converted some. */
  async function convert(keys: Uint8Array[], change: Partial<SecretRotations> = {}): Promise<number[]> {
    const counts: number[] = []
    const { rotations } = given.stores
    const convertSecrets = createConvertSecrets({
      rotations: { listFormer: rotations.listFormer, reseal: rotations.reseal, ...change },
      sealer: createSealer(keys),
      clock: given.clock,
      log: createLog('info', (line) => counts.push(JSON.parse(line).count)),
    })
    await convertSecrets()
    return counts
  }

  test('are converted, once', async () => {
    expect((await sealedValues()).every(isFormer)).toBe(true)
    expect(await convert(oldKeys)).toEqual([230])
    const values = await sealedValues()
    expect(values.some(isFormer)).toBe(false)
    const texts = await Promise.all(values.map(createSealer(oldKeys).open))
    expect(new Set(texts)).toEqual(new Set(Array.from({ length: 230 }, (_, index) => `${value}-${index + 1}`)))
    expect(await convert(oldKeys)).toEqual([])
    expect(await sealedValues()).toEqual(values)
  })

  test('keep their key, which nodes without the first one need', async () => {
    expect(await convert([new Uint8Array(32).fill(9), ...oldKeys])).toEqual([230])
    const [keyId] = createSealer(oldKeys).keyIds
    expect(new Set((await sealedValues()).map(sealedUnder))).toEqual(new Set([keyId]))
  })

  test('are readable after a crash of the conversion at any point, and the next one finishes', async () => {
    const sealer = createSealer(oldKeys)
    for (const diesAfter of [0, 1, 150]) {
      let left = diesAfter
      const reseal: SecretRotations['reseal'] = async (...of) => {
        if (left-- === 0) throw new Error('killed')
        return given.stores.rotations.reseal(...of)
      }
      await expect(convert(oldKeys, { reseal })).rejects.toThrow('killed')
      for (const sealed of await sealedValues()) expect(await sealer.open(sealed)).toContain(value)
    }
    expect(await convert(oldKeys)).toEqual([230 - 151])
  })

  test('are unchanged where no key opens them', async () => {
    const { rotations } = given.stores
    const [{ id, sealed }] = (await rotations.listSealed(0, 1)) as [{ id: number; sealed: string }]
    await rotations.reseal(id, sealed, sealFormerly(new Uint8Array(32).fill(9), 'lost'))
    expect(await convert(oldKeys)).toEqual([229])
    expect((await sealedValues()).filter(isFormer)).toHaveLength(1)
  })

  test('are sealed under the new key by a rotation', async () => {
    expect(await rotate()).toEqual({ resealed: 230, resumed: false })
    expect((await sealedValues()).some(isFormer)).toBe(false)
  })
})
