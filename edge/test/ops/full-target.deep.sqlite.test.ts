// Tests that commands which write a file end on a full disk with the file's path, and leave no incomplete file.
// SQLite alone: a backup is a copy of its file.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge, startEdgeProcess } from '../support/edge-process.ts'
import { BUILT_NC } from '../support/given-nc.ts'
import { canMount, givenOwnDisk, type OwnDisk } from './own-disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'nc-full-target-'))
const dataDir = join(folder, 'data')
const target = join(folder, 'target')
mkdirSync(target)
const onOwnDisk = test.skipIf(!canMount(target) && process.env.CI === undefined)

let disk: OwnDisk | undefined
let environment = ''
beforeAll(async () => {
  await buildEdge()
  const edge = await startEdgeProcess(dataDir)
  await edge.stop()
  environment = (JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile).environments.dev.id
})
afterAll(async () => {
  await disk?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function runNc(
  mounted: OwnDisk,
  args: string[],
  settings = { DATA_DIR: dataDir },
): Promise<{ status: unknown; err: string }> {
  const child = mounted.start([BUILT_NC, ...args], settings)
  child.stdout?.resume()
  const closed = new Promise((resolve) => child.once('close', resolve))
  const [err, status] = await Promise.all([text(child.stderr as NonNullable<typeof child.stderr>), closed])
  return { status, err }
}

onOwnDisk.each([
  ['an export', ['export', '--to'], 'all.ndjson'],
  ['a compressed export', ['export', '--to'], 'all.ndjson.gz'],
  ['a backup', ['backup', '--to'], 'backup.db'],
  ['an export of campaigns', ['campaign', 'export', '--env', 'env', '--to'], 'campaigns.json'],
])('%s onto a full disk exits with 1 and the path of its file, and leaves nothing', async (_title, words, name) => {
  disk = await givenOwnDisk(target, '1m')
  disk.fillTo(0)
  const before = readdirSync(disk.path('.'))
  const args = words.map((word) => (word === 'env' ? environment : word))
  expect(await runNc(disk, [...args, join(target, name)])).toEqual({
    status: 1,
    err: expect.stringMatching(new RegExp(`^${join(target, name)} cannot be written: its disk is full[^\n]+\n$`)),
  })
  expect(readdirSync(disk.path('.'))).toEqual(before)
  await disk.close()
  disk = undefined
})

onOwnDisk('an export of campaigns onto a full disk leaves the former file as it was', async () => {
  disk = await givenOwnDisk(target, '1m')
  writeFileSync(disk.path('campaigns.json'), 'former')
  disk.fillTo(0)
  const { status } = await runNc(disk, [
    'campaign',
    'export',
    '--env',
    environment,
    '--to',
    join(target, 'campaigns.json'),
  ])
  expect(status).toBe(1)
  expect(readFileSync(disk.path('campaigns.json'), 'utf8')).toBe('former')
})

// At first the lock of the folder has no space, then the copy of the backup.
onOwnDisk.each([0, 200])(
  'a restore with %i KiB free exits with 1 and the path, and leaves nothing',
  async (freeKib) => {
    disk = await givenOwnDisk(target, '1m')
    const backup = join(folder, `backup-${freeKib}.db`)
    expect(await runNc(disk, ['backup', '--to', backup])).toEqual({ status: 0, err: '' })
    disk.fillTo(freeKib * 1024)
    expect(await runNc(disk, ['restore', '--from', backup, '--yes'], { DATA_DIR: target })).toEqual({
      status: 1,
      err: expect.stringMatching(new RegExp(`^${target}/store[^\\n]+ its disk is full[^\\n]+\\n$`)),
    })
    expect(readdirSync(disk.path('.')).sort()).toEqual(['filler', 'store.lock'])
    await disk.close()
    disk = undefined
  },
)
