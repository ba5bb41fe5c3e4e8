// Tests what a process says about its release, and that a store keeps its region.

import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { startEdge } from '../../serve.ts'
import { buildEdge } from '../support/edge-process.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { BUILT_NC, givenNc } from '../support/given-nc.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given.stop())

test('commands, /healthz and a metric say the release', async () => {
  await buildEdge()
  const alone = join(given.dataDir, 'nc.mjs')
  // Without the file of the commands.
  copyFileSync(BUILT_NC, alone)
  for (const command of ['--version', 'version']) {
    expect(await promisify(execFile)(process.execPath, [alone, command])).toEqual({
      stdout: `${about.version}\n`,
      stderr: '',
    })
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
  const { out } = await givenNc({ ...settings, REGION: 'us' }).nc('doctor --json')
  expect(JSON.parse(out).findings).toContainEqual({
    check: 'Region',
    verdict: 'wrong',
    words: 'REGION is us, and the keys of this store are of eu. Set REGION=eu.',
  })
  const again = await startEdge(settings, { writeLog() {} })
  await again.close()
})
