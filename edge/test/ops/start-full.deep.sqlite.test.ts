// Tests that a start on a full disk ends with the file and the remedy, wherever the space runs out.
// SQLite alone: PostgreSQL writes its own files.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { buildEdge } from '../support/edge-process.ts'
import { canMount, givenOwnDisk } from './own-disk.ts'

const KIB = 1024
const folder = mkdtempSync(join(tmpdir(), 'nc-start-full-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// With a given master key nothing is written before the store.
const SETTINGS = { PORT: '0', DATA_DIR: folder, SEED_DEMO: 'plain', MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }

/** Where the space runs out: the folder's lock, the first page, the index of the log, tables, the seed. */
const FREE_KIB = [0, 4, 16, 200, 700, 900]

test.skipIf(!canMount(folder) && process.env.CI === undefined).each(FREE_KIB)(
  'with %i KiB free a start exits with 1, and standard error has the file and the remedy',
  async (freeKib) => {
    await buildEdge()
    const disk = await givenOwnDisk(folder, '4m')
    try {
      disk.fillTo(freeKib * KIB)
      const child = disk.start(['edge/dist/main.js'], SETTINGS)
      const [output, status] = await Promise.all([
        text(child.stderr as NonNullable<typeof child.stderr>),
        new Promise((resolve) => child.once('close', resolve)),
        child.stdout?.resume(),
      ])
      expect({ status, output }).toEqual({
        status: 1,
        output: expect.stringMatching(new RegExp(`^${folder}/store[^\n]+ its disk is full[^\n]+\n$`)),
      })
    } finally {
      await disk.close()
    }
  },
)
