// Tests secrets in the format of the previous release: they are read everywhere, and a start converts them.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSealer } from '../../lib/seal.ts'
import { givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { givenRotation, MASTER_KEY } from '../support/given-rotation.ts'
import { sealFormerly } from '../support/seal-formerly.ts'

test('secrets of the former format are read everywhere, and converted at the next start', async () => {
  const counts: number[] = []
  const writeLog = (line: string) => {
    if (line.includes('secrets converted')) counts.push(JSON.parse(line).count)
  }
  const given = await givenEdge({ MASTER_KEY: MASTER_KEY.toString('base64') }, { writeLog })
  const { rotations, ...externalStores } = { ...(await givenRotation(given)).stores }
  const cli = givenNc(given.settings)
  const masterKey = new Uint8Array(MASTER_KEY)
  const sealer = createSealer([masterKey])
  async function sealAllFormerly(): Promise<void> {
    for (const { id, sealed } of await rotations.listSealed(0, 100)) {
      await rotations.reseal(id, sealed, sealFormerly(masterKey, await sealer.open(sealed)))
    }
  }
  const countFormer = async () => (await rotations.listFormer(0, 100, Date.now())).length
  try {
    const { id, authSecretKey } = given.demo.environments.prod
    await sealAllFormerly()
    expect(await countFormer()).toBe(9)
    expect((await given.signIn('ann', 'prod')).environment.name).toBe('prod')
    const shown = await cli.json(`secret show --env ${id} --kind authSecretKey`)
    expect(shown.values).toEqual([authSecretKey])
    expect((await cli.nc('doctor')).out).toContain('All 9 open with the master key. 9 have the former format')
    const file = join(given.dataDir, 'former.ndjson.gz')
    await cli.json(`export --to ${file}`)
    const otherCli = givenNc({
      DATA_DIR: join(given.dataDir, 'other'),
      MASTER_KEY: Buffer.alloc(32, 6).toString('base64'),
    })
    expect((await otherCli.nc(`import --from ${file}`)).err).toContain(`sealed under master key ${sealer.keyIds[0]}`)

    await given.restart()
    await expect.poll(countFormer).toBe(0)
    await expect.poll(() => counts).toEqual([9])
    expect((await given.signIn('ann', 'prod')).environment.name).toBe('prod')
    expect((await cli.nc('doctor')).out).toContain('All 9 open with the master key.\n')

    await sealAllFormerly()
    expect(await cli.json('master-key rotate')).toEqual({ resealed: 9 })
    expect(await cli.json('master-key rotate')).toEqual({ resealed: 0 })
  } finally {
    await externalStores.close()
    await given.stop()
  }
})
