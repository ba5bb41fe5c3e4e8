// Tests that what a process marked is known after its end, whatever ended it, and nothing else.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatMark, markOfRun, parseMark } from '../../domain/in-hand.ts'
import { openInHandFile } from './in-hand-file.ts'

let dataDir = ''
let warnings: string[] = []
const open = (isShared = false) =>
  openInHandFile({ dataDir, isShared, log: { warn: (message) => void warnings.push(message) } })
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'in-hand-test-'))
  warnings = []
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const digits = (id: number) => String(id).padStart(16, '0')
const run = (runId: number) => markOfRun({ environmentId: 5, runId })
const ID = Number.MAX_SAFE_INTEGER

test('open marks are known to the next process, ended ones are not, and each is reported once', () => {
  const file = open()
  const endFirst = file.begin([run(1)])
  file.begin([{ kind: 'mail', environmentId: ID, id: ID }])
  endFirst()
  file.begin([{ kind: 'job', environmentId: 2, id: 3 }])()
  file.begin([{ kind: 'job', environmentId: 2, id: 4 }])
  expect(open().former).toEqual([
    { kind: 'job', environmentId: 2, id: 4 },
    { kind: 'mail', environmentId: ID, id: ID },
  ])
  expect(open().former).toEqual([])
})

test('many are marked together, and one of them again within that changes nothing', () => {
  const file = open()
  const marks = Array.from({ length: 120 }, (_, at) => run(at + 1))
  const end = file.begin(marks)
  file.begin([run(60)])()
  file.begin([run(121)])
  const read = () => {
    const [name = ''] = readdirSync(dataDir)
    const copy = mkdtempSync(join(tmpdir(), 'in-hand-copy-'))
    cpSync(join(dataDir, name), join(copy, name))
    const ids = openInHandFile({ dataDir: copy, isShared: false, log: { warn() {} } }).former.map(({ id }) => id)
    rmSync(copy, { recursive: true })
    return ids
  }
  expect(read()).toEqual(Array.from({ length: 121 }, (_, at) => at + 1))
  end()
  expect(read()).toEqual([121])
})

test('a closed file is gone, and its late marks are written nowhere', () => {
  const file = open()
  expect(statSync(join(dataDir, readdirSync(dataDir)[0] ?? '')).mode & 0o777).toBe(0o600)
  const end = file.begin([run(1)])
  file.close()
  end()
  file.begin([run(2)])
  file.close()
  expect(readdirSync(dataDir)).toEqual([])
})

test('in a shared folder the marks of a running process are left to it; a dead process has none', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await once(other, 'spawn')
  const mark = `r${digits(5)}${digits(7)}`
  writeFileSync(join(dataDir, `in-hand.${other.pid}`), mark)
  expect(open(true).former).toEqual([])
  const ended = once(other, 'exit')
  other.kill('SIGKILL')
  await ended
  expect(open(true).former).toEqual([{ kind: 'run', environmentId: 5, id: 7 }])
})

test('a file that is cut or of another content gives no mark that was not written', () => {
  writeFileSync(join(dataDir, 'in-hand.1'), `r${digits(5)}${digits(7)}x000\0\0\0j12`)
  expect(open().former).toEqual([{ kind: 'run', environmentId: 5, id: 7 }])
})

test('without a folder that can be written work goes on without marks, and a warning', () => {
  rmSync(dataDir, { recursive: true })
  writeFileSync(dataDir, '')
  const file = open()
  file.begin([run(1)])()
  file.close()
  expect([file.former, warnings]).toEqual([[], ['work in hand not marked']])
  rmSync(dataDir)
  mkdirSync(dataDir)
})

test.each([
  ['run', 'run_'],
  ['job', 'job_'],
  ['mail', 'msg_'],
] as const)('the id of a %s begins with %s, and is read again', (kind, prefix) => {
  const text = formatMark({ kind, id: 1234 })
  expect(text.startsWith(prefix)).toBe(true)
  expect(parseMark(text)).toEqual({ kind, id: 1234 })
  expect(parseMark(`${prefix}?`)).toBeUndefined()
})
