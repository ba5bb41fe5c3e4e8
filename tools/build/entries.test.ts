// The threads of the edge are found in its code: a forgotten entry would only fail in the built server.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findThreads } from './entries.ts'

test('the edge starts a writer and a checkpoint thread', () => {
  const found = findThreads(resolve(import.meta.dirname, '../../edge'))
  expect(Object.keys(found)).toEqual(expect.arrayContaining(['sqlite-writer', 'sqlite-checkpoint']))
  expect(basename(found['sqlite-writer'] as string)).toBe('sqlite-writer.ts')
})

test('two threads of one name are refused: they would overwrite each other', () => {
  const root = mkdtempSync(join(tmpdir(), 'nc-entries-'))
  for (const folder of ['a', 'b']) {
    mkdirSync(join(root, folder))
    writeFileSync(join(root, folder, 'x.ts'), `start(threadUrl(import.meta.url, 'work'))`)
  }
  expect(() => findThreads(root)).toThrow('work')
  rmSync(root, { recursive: true })
})
