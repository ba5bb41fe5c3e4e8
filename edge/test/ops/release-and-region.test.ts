// Tests what a process says about its release, and that a store keeps its region.

import { afterAll, beforeAll, expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { startEdge } from '../../serve.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given.stop())

test('commands, /healthz and a metric say the release', async () => {
  const { nc } = givenNc(given.settings)
  for (const command of ['--version', 'version']) {
    expect(await nc(command)).toMatchObject({ code: 0, out: `${about.version}\n` })
  }
  expect((await given.call('GET', '/healthz')).body).toEqual({ status: 'alive', version: about.version })
  const { body } = await given.call<string>('GET', '/metrics')
  expect(body).toMatch(new RegExp(`^nc_build_info\\{version="${about.version}",node="[^"]+",engine="[^"]+"\\} 1$`, 'm'))
})

test('a start with another region than the store has is refused by name', async () => {
  await given.edge.close()
  const { SEED_DEMO: _demo, ...settings } = given.settings
  await expect(startEdge({ ...settings, REGION: 'us' }, { writeLog() {} })).rejects.toThrow(
    'REGION is us, and the keys of this store are of eu: all would be refused. Set REGION=eu.',
  )
  const again = await startEdge(settings, { writeLog() {} })
  await again.close()
})
