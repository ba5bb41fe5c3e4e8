// The file of an export: it is there whole, or not at all.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeExportFile } from './export-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'export-file-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each(['all.ndjson', 'all.ndjson.gz'])('%s has its name when all is written', async (name) => {
  const { bytes } = await writeExportFile(join(folder, name), async (write) => write('one'))
  expect(readdirSync(folder)).toEqual([name])
  expect(readFileSync(join(folder, name))).toHaveLength(bytes)
})

test.each(['none.ndjson', 'none.ndjson.gz'])('nothing is left of %s that was refused at once', async (name) => {
  const refused = writeExportFile(join(folder, name), () => Promise.reject(new Error('refused')))
  await expect(refused).rejects.toThrow('refused')
  // Behind what the pool of threads was asked before.
  await readdir(folder)
  expect(readdirSync(folder)).toEqual([])
})
