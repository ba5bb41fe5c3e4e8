// Tests which files of a data folder are closed to other accounts, and what is left alone and logged.

import { chmod, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../lib/log.ts'
import { closeToOthers } from './data-folder.ts'

let root: string
let folder: string
let lines: string[]
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'data-folder-'))
  folder = join(root, 'data')
  lines = []
  await mkdir(folder)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const close = (path = folder) =>
  closeToOthers(
    path,
    createLog('info', (line) => lines.push(line)),
  )
const modeOf = async (path: string) => ((await lstat(path)).mode & 0o7777).toString(8)

async function put(name: string, mode: number): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, 'x')
  await chmod(path, mode)
  return path
}

test.each([
  ['store.db', 0o644, '600'],
  ['store.db-wal', 0o666, '600'],
  ['store.db-journal', 0o640, '600'],
  ['store.before-restore-17.db', 0o755, '600'],
  ['restore.part', 0o644, '600'],
  ['ballast', 0o604, '600'],
  ['master.key', 0o444, '400'],
  ['master.key.0a1b2c', 0o644, '600'],
  ['in-hand.4711', 0o644, '600'],
  ['demo.json', 0o644, '600'],
  ['demo.json.0a1b2c', 0o644, '600'],
])('%s of mode %o gets %s, with a line in the log', async (name, mode, closed) => {
  await chmod(folder, 0o700)
  const path = await put(name, mode)
  await close()
  expect(await modeOf(path)).toBe(closed)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', count: 1, setting: 'DATA_DIR' }])
  await close()
  expect(lines).toHaveLength(1)
})

test('folders are closed, and keep their special bits', async () => {
  await mkdir(join(folder, 'mails'))
  await chmod(join(folder, 'mails'), 0o777)
  await chmod(folder, 0o2775)
  const mail = await put('mails/msg_1.eml', 0o644)
  await close()
  expect([await modeOf(folder), await modeOf(join(folder, 'mails')), await modeOf(mail)]).toEqual([
    '2700',
    '700',
    '600',
  ])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ count: 3 }])
})

test('files of others, and what links lead to, keep their modes', async () => {
  await chmod(folder, 0o700)
  const outside = join(root, 'outside')
  await mkdir(outside)
  await chmod(outside, 0o755)
  await writeFile(join(outside, 'a.eml'), 'x')
  await chmod(join(outside, 'a.eml'), 0o644)
  await symlink(join(outside, 'a.eml'), join(folder, 'demo.json'))
  await symlink(outside, join(folder, 'mails'))
  const notes = await put('notes.txt', 0o644)
  await close()
  const modes = [await modeOf(notes), await modeOf(outside), await modeOf(join(outside, 'a.eml'))]
  expect(modes).toEqual(['644', '755', '644'])
  expect(lines).toEqual([])
})

test('the folder is found behind a link, and a missing one is left missing', async () => {
  await chmod(folder, 0o755)
  await symlink(folder, join(root, 'link'))
  await close(join(root, 'link'))
  expect(await modeOf(folder)).toBe('700')
  await close(join(root, 'missing'))
  expect(lines).toHaveLength(1)
})

test('a folder for many accounts stays as it is; its files are closed, and the log has the remedy', async () => {
  await chmod(folder, 0o1777)
  const store = await put('store.db', 0o644)
  await close()
  expect([await modeOf(folder), await modeOf(store)]).toEqual(['1777', '600'])
  expect(lines.join('')).toContain('data folder is open to other accounts: use one of this account alone')
})
