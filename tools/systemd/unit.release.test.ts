// Tests the unit as an operator installs it, in a real systemd: what it may do, that the server works in it, and how it ends.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { DemoFile } from '../../edge/seed/demo-file.ts'
import { buildEdge } from '../../edge/test/support/edge-process.ts'
import { findFreePort } from '../servers/server-process.ts'
import { type Booted, bootSystemd } from './booted.ts'

const NAME = 'notification-center'
const EXAMPLE = readFileSync(join(import.meta.dirname, '../../deploy/systemd/env.example'), 'utf8')
const FILE = `/etc/systemd/system/${NAME}.service`
/** Tenths. */
const MOST_EXPOSED = 25
const STOP_LIMIT_S = 20

let machine: Booted
let url: string

beforeAll(async () => {
  await buildEdge()
  const port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  machine = await bootSystemd(`${EXAMPLE}PORT=${port}\nSEED_DEMO=plain\n`)
  await machine.run('systemd-sysusers')
  await machine.run('systemctl', 'enable', '--now', NAME)
  await vi.waitFor(async () => expect(await isReady()).toBe(true), { timeout: 60_000 })
})
afterAll(async () => {
  await machine?.end()
})

const isReady = () =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
const show = async (property: string) =>
  (await machine.run('systemctl', 'show', '--value', `--property=${property}`, NAME)).trim()
const mainPid = () => show('MainPID')

test('systemd finds no fault in the unit', async () => {
  expect(await machine.run('systemd-analyze', 'verify', FILE)).toBe('')
})

test('the unit leaves little exposed', async () => {
  const args = ['security', '--offline=true', '--no-pager', `--threshold=${MOST_EXPOSED}`, FILE]
  expect(await machine.run('systemd-analyze', ...args)).toMatch(/Overall exposure level for .*: [\d.]+ OK/)
})

test('each setting of the example is known', async () => {
  const log = await machine.run('journalctl', '--unit', NAME, '--output=cat')
  expect(log).toMatch(/"listening"/)
  expect(log).not.toMatch(/unknown environment variable/)
})

test('the server runs as its own user without privileges, and its folder is closed to others', async () => {
  const status = await machine.run('cat', `/proc/${await mainPid()}/status`)
  expect(status).toMatch(/CapEff:\t0+\n/)
  expect(status).toMatch(/NoNewPrivs:\t1\n/)
  expect(status).toMatch(/Seccomp:\t2\n/)
  expect(await machine.run('stat', '-c', '%U %a', `/var/lib/${NAME}`)).toBe(`${NAME} 700\n`)
})

test('an event becomes a message: sandboxes, threads and files work', async () => {
  const { sdkSecretKey } = (await readDemo()).environments.dev
  const headers = { authorization: `Bearer ${sdkSecretKey}`, 'content-type': 'application/json' }
  const event = { sdkSecretKey, name: 'order.shipped', userId: 'ada', properties: { orderId: 'A-1', total: 9 } }
  const sent = await fetch(`${url}/v1/events/track`, { method: 'POST', headers, body: JSON.stringify(event) })
  const { eventId } = (await sent.json()) as { eventId: string }
  const read = async () => (await fetch(`${url}/v1/events/${eventId}`, { headers })).json()
  await expect.poll(read).toMatchObject({ runs: [{ state: 'completed' }], messageIds: [expect.any(String)] })
  expect(await machine.run('pgrep', '--full', '--uid', NAME, 'sandbox-process')).toMatch(/\d/)
})

test('the command line works with the same settings', async () => {
  const settings = [`--property=EnvironmentFile=/etc/${NAME}/env`, `--setenv=DATA_DIR=/var/lib/${NAME}`]
  const args = ['--pipe', '--wait', '--collect', '--quiet', `--uid=${NAME}`, ...settings]
  const answer = await machine.run('systemd-run', ...args, 'node', `/opt/${NAME}/edge/dist/nc.js`, 'given-up', 'list')
  expect(answer).not.toMatch(/error/i)
})

test('a killed server is started again, and a stop ends it in time', async () => {
  const before = await mainPid()
  await machine.run('kill', '-KILL', before)
  await expect.poll(async () => (await mainPid()) !== before && (await isReady())).toBe(true)
  const begun = performance.now()
  await machine.run('systemctl', 'stop', NAME)
  expect((performance.now() - begun) / 1000).toBeLessThan(STOP_LIMIT_S)
  expect(await show('Result')).toBe('success')
  expect(await machine.run('pgrep', '--uid', NAME).catch(() => 'none')).toBe('none')
})

async function readDemo(): Promise<DemoFile> {
  return JSON.parse(await machine.run('cat', `/var/lib/${NAME}/demo.json`)) as DemoFile
}
