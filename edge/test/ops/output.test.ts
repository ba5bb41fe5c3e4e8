// Tests that the output check reads the output of servers and processes, and can fail.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { collected, createCollector, throwOnLeaks } from '../support/leak-collector.ts'

const SECRET = 'nc_sdk_eu_pKq9r8GKYqrTwjUPD8ILPZIo2LaLaSw0'
const lines: string[] = []
let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge({ DATABSE_URL: 'postgres://in.private' }, { writeLog: (line) => lines.push(line) })
})
afterAll(() => given.stop())

const takeLeaks = () => collected.leaks.splice(0)
const printText = (stream: string, TEXT: string, ...args: string[]) => {
  const script = `process.${stream}.write('first\\n' + process.env.TEXT + '\\n')`
  return promisify(execFile)(process.execPath, ['-e', script, ...args], { env: { ...process.env, TEXT } })
}

test('a secret on standard output, standard error or a command line is found and fails the file', async () => {
  await printText('stdout', SECRET)
  await printText('stderr', 'from ann@mail.example.com')
  await printText('stdout', 'fine', SECRET)
  expect(collected.leaks).toEqual([
    { source: expect.stringContaining('node'), line: 2, kind: 'sdkSecretKey' },
    { source: expect.stringContaining('(errors)'), line: 2, kind: 'e-mail address' },
    { source: expect.stringContaining('(command line)'), line: 1, kind: 'sdkSecretKey' },
  ])
  expect(throwOnLeaks).toThrow(/line 2: what looks like a sdkSecretKey/)
  expect(throwOnLeaks).not.toThrow(SECRET.slice(-8))
  takeLeaks()
  expect(throwOnLeaks).not.toThrow()
})

test('the log of an edge has every request with the pattern of its path, and its lines are checked', async () => {
  const before = collected.lines()
  await given.call('GET', '/v1/users/private%2Fuser?key=private', { key: given.demo.environments.dev.sdkSecretKey })
  const find = () => lines.find((text) => text.includes('"/v1/users/:userId"')) ?? ''
  // The line is written after the answer is sent.
  await expect.poll(find).not.toBe('')
  const line = find()
  expect(JSON.parse(line)).toMatchObject({ level: 'debug', method: 'GET', status: 400, durationMs: expect.any(Number) })
  expect(line).not.toContain('private')
  expect(collected.lines()).toBeGreaterThan(before)
  expect(takeLeaks()).toEqual([])
})

test('a secret in the log of an edge is found', () => {
  createCollector('an edge').write(`{"level":"info","reason":"${SECRET}"}\n`)
  expect(takeLeaks()).toEqual([{ source: 'an edge', line: 1, kind: 'sdkSecretKey' }])
})

test('an unknown variable similar to a setting is reported at the start and by the doctor, without its value', async () => {
  const reason = 'DATABSE_URL is no setting. Is DATABASE_URL meant?'
  const entries = lines.filter((line) => line.includes('DATABSE_URL')).map((line) => JSON.parse(line))
  expect(entries).toEqual([
    expect.objectContaining({ level: 'warn', msg: 'unknown environment variable ignored', reason }),
  ])
  const { out } = await givenNc(given.settings).nc('doctor')
  expect(out).toContain(reason)
  expect([...lines, out].join()).not.toContain('in.private')
})
