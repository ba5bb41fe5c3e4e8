// Tests that the file of an export exists only when it is complete.

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

test.each(['all.ndjson', 'all.ndjson.gz'])('%s gets its name when all is written', async (name) => {
  const { bytes } = await writeExportFile(join(folder, name), async (write) => write('one'))
  expect(readdirSync(folder)).toEqual([name])
  expect(readFileSync(join(folder, name))).toHaveLength(bytes)
})

test.each(['none.ndjson', 'none.ndjson.gz'])('a refused export leaves no file %s', async (name) => {
  const refused = writeExportFile(join(folder, name), () => Promise.reject(new Error('refused')))
  await expect(refused).rejects.toThrow('refused')
  // Runs after the earlier work of the thread pool.
  await readdir(folder)
  expect(readdirSync(folder)).toEqual([])
})
