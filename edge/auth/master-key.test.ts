// Tests the generated master key: created once, readable by its owner only, never replaced.

import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deriveSessionKey, loadMasterKeys } from './master-key.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nc-key-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a key is generated at the first start, with mode 0600, and kept', async () => {
  const dataDir = join(folder, 'data')
  const [key] = await loadMasterKeys(null, dataDir)
  expect(key).toHaveLength(32)
  expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual(['master.key'])
  expect(await loadMasterKeys(null, dataDir)).toEqual([key])
})

test('concurrent first starts use one key', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadMasterKeys(null, folder)))
  expect(new Set(keys.map(([key]) => Buffer.from(key as Uint8Array).toString('hex'))).size).toBe(1)
})

test('keys of the settings are used, and no file is written', async () => {
  const given = [new Uint8Array(32).fill(3)]
  expect(await loadMasterKeys(given, folder)).toBe(given)
  expect(await readdir(folder)).toEqual([])
})

test('a file that others can read gets mode 0600', async () => {
  const path = join(folder, 'master.key')
  await writeFile(path, Buffer.alloc(32, 5).toString('base64'), { mode: 0o644 })
  expect(await loadMasterKeys(null, folder)).toEqual([new Uint8Array(32).fill(5)])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a damaged file is refused and left as it is', async () => {
  const path = join(folder, 'master.key')
  await writeFile(path, 'c2hvcnQ=')
  await expect(loadMasterKeys(null, folder)).rejects.toThrow(/does not hold 32 bytes/)
  expect(await readFile(path, 'utf8')).toBe('c2hvcnQ=')
})

test('the session key is that of the first master key, and is not it', () => {
  const [a, b] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  expect(deriveSessionKey([a, b])).toEqual(deriveSessionKey([a]))
  expect(deriveSessionKey([b])).not.toEqual(deriveSessionKey([a]))
  expect(deriveSessionKey([a])).not.toEqual(a)
})

test('beside an existing store no key is generated, and nothing is written', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'key-'))
  await writeFile(join(dataDir, 'store.db'), 'rows')
  await expect(loadMasterKeys(null, dataDir)).rejects.toThrow(/master\.key is missing beside an existing store/)
  expect(await readdir(dataDir)).toEqual(['store.db'])
  await rm(dataDir, { recursive: true })
})
