// Tests that folders are created with their parents, and that other files in the path are refused.

import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { explainFull, makeFolder } from './folder.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'folder-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('a folder is created with its parents, for this account only, and an existing one is accepted', async () => {
  const path = join(root, 'a', 'b', 'c')
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(root, 'a', 'd'))])
  await makeFolder(path)
  for (const made of [path, join(root, 'a')]) expect((await stat(made)).mode & 0o777).toBe(0o700)
})

test('a file, a path below one and a dangling link are refused', async () => {
  const file = join(root, 'file')
  await writeFile(file, 'x')
  const link = join(root, 'link')
  await symlink(join(root, 'nowhere', 'at', 'all'), link)
  await expect(makeFolder(file)).rejects.toThrow('EEXIST')
  await expect(makeFolder(join(file, 'below'))).rejects.toThrow('EEXIST')
  await expect(makeFolder(link)).rejects.toThrow('EEXIST')
  await expect(makeFolder(join(link, 'below'))).rejects.toThrow('EEXIST')
})

function caught(work: () => void): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
}

test.runIf(existsSync('/dev/full'))('the error of a full disk contains the file and the remedy', () => {
  const error = caught(() => writeFileSync('/dev/full', 'x'))
  expect(String(explainFull(error, '/data/demo.json'))).toBe(
    'Error: /data/demo.json cannot be written: its disk is full. Make room there, or name another place. (ENOSPC: no space left on device, write)',
  )
})

test('the error of a file that is too large contains the file', () => {
  const error = Object.assign(new Error('EFBIG: file too large, write'), { code: 'EFBIG' })
  expect(String(explainFull(error, '/usb/all.ndjson'))).toBe(
    'Error: /usb/all.ndjson cannot be written: its file system, or this account, may have no file so large. (EFBIG: file too large, write)',
  )
})

test('any other error is unchanged', () => {
  const error = caught(() => writeFileSync('/nowhere/at/all', 'x'))
  expect(error).toBeInstanceOf(Error)
  expect(explainFull(error, '/data')).toBe(error)
})
