// Tests that SQLite's data folder serves one process at a time. SQLite alone: PostgreSQL serves several.

import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEdge } from '../support/edge-process.ts'
import { killAll, type StartedEdge, startRawEdge, waitUntilListening } from '../support/raw-edge.ts'
import { send } from '../support/send.ts'

let dataDir: string
const started: StartedEdge[] = []
beforeAll(async () => {
  await buildEdge()
  dataDir = await mkdtemp(join(tmpdir(), 'edge-folder-'))
})
afterAll(async () => {
  await killAll(started)
  await rm(dataDir, { recursive: true, force: true })
})

function start(folder = dataDir, prefix: string[] = []): StartedEdge {
  const edge = startRawEdge({ DATA_DIR: folder }, prefix)
  started.push(edge)
  return edge
}

test('a folder in use is refused with a reason, and the server that uses it continues', async () => {
  const url = await waitUntilListening(start())
  const second = start()
  expect(await second.exited).toBe(1)
  expect(second.output()).toContain(dataDir)
  expect(second.output()).not.toMatch(/\n\s+at /)
  expect((await send(url, 'GET', '/readyz')).status).toBe(200)
})

async function expectRefused(running: StartedEdge, reason: string): Promise<void> {
  expect(await running.exited).toBe(1)
  // One line that contains the remedy.
  expect(running.output().trim().split('\n')).toEqual([expect.stringContaining(reason)])
}

test('a folder that is a file, or below one, is refused with a reason', async () => {
  const file = join(dataDir, 'file')
  await writeFile(file, 'x')
  await expectRefused(start(file), `DATA_DIR (${file}) is a file. Name a folder.`)
  await expectRefused(start(join(file, 'below')), 'is below a file. Name a folder.')
})

test.skipIf(process.platform !== 'linux')(
  'a folder where the system allows none is refused with a reason, at any depth',
  async () => {
    for (const folder of ['/proc/nope', '/proc/nope/new/er'])
      await expectRefused(
        start(folder),
        `DATA_DIR (${folder}) is where the system creates no folders. Name another folder.`,
      )
  },
)

/** Namespaces and other accounts need root, and are not available everywhere. */
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0
if (process.env.CI && !canMount) throw new Error('On CI this file runs as root.')

test.skipIf(!canMount)(
  'a folder on a read-only disk is refused with a reason, an existing one and a new one',
  async () => {
    const disk = join(dataDir, 'disk')
    await mkdir(disk)
    const readOnly = ['unshare', '--mount', 'sh', '-c', `mount -t tmpfs -o ro tmpfs '${disk}' && exec "$@"`, 'sh']
    for (const folder of [disk, join(disk, 'new', 'er')]) {
      await expectRefused(start(folder, readOnly), `DATA_DIR (${folder}) is on a read-only disk.`)
    }
  },
)

test.skipIf(!canMount)('a folder without permission to write is refused with a reason', async () => {
  const denied = join(dataDir, 'denied')
  await mkdir(denied)
  await chmod(denied, 0o555)
  // Root without the right to ignore permissions.
  const withoutOverride = ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override']
  await expectRefused(start(denied, withoutOverride), `DATA_DIR (${denied}) cannot be written by this account.`)
})

test('the store is closed to other accounts: what a start creates, and what it finds with looser modes', async () => {
  const folder = join(dataDir, 'open')
  await mkdir(join(folder, 'mails'), { recursive: true })
  const own = ['store.before-restore-1.db', 'demo.json', 'mails/msg_1.eml']
  for (const name of own) await writeFile(join(folder, name), '', { mode: 0o644 })
  await writeFile(join(folder, 'notes.txt'), 'of somebody else', { mode: 0o644 })
  for (const path of [folder, join(folder, 'mails')]) await chmod(path, 0o755)
  await rm(join(folder, 'demo.json'))
  const first = start(folder)
  await waitUntilListening(first)
  expect(first.output()).toContain('data folder was open to other accounts: modes tightened')
  const modes = async () => {
    const found: Record<string, string> = { '.': (await stat(folder)).mode.toString(8).slice(-3) }
    for (const name of await readdir(folder, { recursive: true })) {
      found[name] = (await stat(join(folder, name))).mode.toString(8).slice(-3)
    }
    return found
  }
  const closed = {
    '.': '700',
    mails: '700',
    'mails/msg_1.eml': '600',
    'master.key': '600',
    'notes.txt': '644',
    'store.before-restore-1.db': '600',
    'store.db': '600',
    'store.db-shm': '600',
    'store.db-wal': '600',
    'store.lock': '600',
  }
  expect(await modes()).toMatchObject(closed)
  await killAll([first])
  for (const name of ['store.db', 'store.db-wal', 'store.db-shm', 'store.lock']) await chmod(join(folder, name), 0o666)
  await waitUntilListening(start(folder))
  expect(await modes()).toMatchObject(closed)
})
