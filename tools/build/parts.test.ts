// Tests that worker threads are found in the code: a missing entry would only fail in the built server.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { findThreads } from './parts.ts'

test('the edge starts a writer and a checkpoint thread', () => {
  const found = findThreads(resolve(import.meta.dirname, '../../edge'))
  expect(Object.keys(found)).toEqual(expect.arrayContaining(['writer', 'checkpoint']))
  expect(basename(found.writer as string)).toBe('writer.ts')
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

test('a thread of the store loads nothing that compiles templates or conditions: each start would pay for it', async () => {
  const edge = resolve(import.meta.dirname, '../../edge')
  const stores = Object.values(findThreads(edge)).filter((path) => path.includes('/stores/'))
  expect(stores).not.toEqual([])
  const { metafile } = await build({
    entryPoints: stores,
    outdir: edge,
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  const packages = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  expect(packages.filter((path) => /liquid|cel-js/.test(path))).toEqual([])
})
