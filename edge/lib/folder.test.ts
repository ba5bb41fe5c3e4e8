// Folders are made with those above them, and what is none is refused.

import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder } from './folder.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'folder-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('a folder is made with those above it, for this account alone, and again', async () => {
  const path = join(root, 'a', 'b', 'c')
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(root, 'a', 'd'))])
  await makeFolder(path)
  for (const made of [path, join(root, 'a')]) expect((await stat(made)).mode & 0o777).toBe(0o700)
})

test('a file, what is below one and a link to nowhere are refused', async () => {
  const file = join(root, 'file')
  await writeFile(file, 'x')
  const link = join(root, 'link')
  await symlink(join(root, 'nowhere', 'at', 'all'), link)
  await expect(makeFolder(file)).rejects.toThrow('EEXIST')
  await expect(makeFolder(join(file, 'below'))).rejects.toThrow('EEXIST')
  await expect(makeFolder(link)).rejects.toThrow('EEXIST')
  await expect(makeFolder(join(link, 'below'))).rejects.toThrow('EEXIST')
})
