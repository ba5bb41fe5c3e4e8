// Tests that the file of an export exists only when it is complete, and that its lines are read whole.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openExportFile, writeExportFile } from './export-file.ts'

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

test('a folder in place of an export is named', () => {
  expect(() => openExportFile(folder)).toThrow(`${folder} cannot be read: EISDIR`)
})

test('an export makes no folder, and replaces no file', async () => {
  const write = (file: string) => writeExportFile(file, async (line) => line('one'))
  await expect(write(join(folder, 'mistyped', 'all.ndjson'))).rejects.toThrow(
    `There is no folder ${join(folder, 'mistyped')}. Make it, or name another.`,
  )
  expect(readdirSync(folder)).toEqual([])
  await write(join(folder, 'all.ndjson'))
  await expect(write(join(folder, 'all.ndjson'))).rejects.toThrow('exists already')
})

test.each(['lines.ndjson', 'lines.ndjson.gz'])(
  'lines longer than a chunk of %s are read as they were written',
  async (name) => {
    const lines = ['{}', 'x'.repeat(900_000), '', 'a\u2028b', 'y'.repeat(262_144), 'end']
    await writeExportFile(join(folder, name), async (write) => {
      for (const line of lines) await write(line)
    })
    const read: string[] = []
    for await (const line of openExportFile(join(folder, name)).lines()) read.push(line)
    expect(read).toEqual(lines)
  },
)

test('a file with a line that no row has is refused', async () => {
  const file = join(folder, 'one-line.gz')
  const part = 'x'.repeat(1024 * 1024)
  writeFileSync(file, gzipSync(part.repeat(65), { level: 1 }))
  const read = async () => {
    for await (const _ of openExportFile(file).lines()) expect.fail('No line ends.')
  }
  await expect(read()).rejects.toThrow('a line has more than')
})
