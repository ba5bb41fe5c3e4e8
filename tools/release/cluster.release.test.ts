// Tests `deploy/compose.cluster.yaml`: three nodes behind a proxy, a push across nodes, a stopped and a killed node, a restored backup.

import { randomBytes } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchInbox } from '../../edge/test/support/watcher.ts'
import { findFreePort } from '../servers/server-process.ts'
import { type ContainerPrograms, startContainerPrograms } from './container-programs.ts'
import { expectFirstMessage, readTitles, signIn, trackSignUp, untilReady } from './first-message.ts'
import { buildServerImage, IMAGE, VERSION } from './server-image.ts'
import { buildStoreImages } from './store-images.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** Its own, because a killed run leaves names in Podman's name server. */
const PROJECT = `nc-cluster-${process.pid}`
const NODES = ['node1', 'node2', 'node3']
const SECRETS = ['MASTER_KEY', 'POSTGRES_PASSWORD', 'PUBLIC_URL']
const GRACE_S = 20
const CALLS_EVERY_MS = 20

let programs: ContainerPrograms
let folder: string
let tools: string
let filled: string
let url: string
let demoFile: string

beforeAll(async () => {
  programs = await startContainerPrograms()
  await buildServerImage(programs)
  await buildStoreImages(programs)
  tools = join(programs.folder, 'python')
  await programs.call('pip3', ['install', '--quiet', '--target', tools, 'podman-compose'])

  folder = join(programs.folder, 'deploy')
  cpSync(join(ROOT, 'deploy'), folder, { recursive: true })
  // Gives the test an organisation with campaigns.
  writeFileSync(join(folder, 'seed.yaml'), '{services: {node1: {environment: {SEED_DEMO: plain}}}}')
  const port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  filled = readFileSync(join(folder, '.env.example'), 'utf8')
    .replace('MASTER_KEY=', `MASTER_KEY=${randomBytes(32).toString('base64')}`)
    .replace('POSTGRES_PASSWORD=', `POSTGRES_PASSWORD=${randomBytes(24).toString('hex')}`)
    .replace('PUBLIC_URL=', `PUBLIC_URL=${url}`)
    .replace('PORT=3000', `PORT=${port}`)
})

afterAll(async () => {
  if (filled !== undefined) await compose('down', '--volumes', '--timeout', String(GRACE_S))
  programs?.remove()
})

function compose(...args: string[]): Promise<string> {
  writeFileSync(join(folder, '.env'), filled)
  return callCompose(...args)
}
const callCompose = (...args: string[]) => {
  const files = ['-f', 'compose.cluster.yaml', '-f', 'seed.yaml', '-p', PROJECT]
  return programs.call(join(tools, 'bin/podman-compose'), [...files, ...args], folder, { PYTHONPATH: tools })
}
const containerOf = (name: string) => `${PROJECT}_${name}_1`
const inspect = (name: string, format: string) => programs.podman('inspect', '--format', format, containerOf(name))

/** Returns the address of a node itself. */
async function addressOf(node: string): Promise<string> {
  const ip = await inspect(node, `{{(index .NetworkSettings.Networks "${PROJECT}_public").IPAddress}}`)
  return `http://${ip}:3000`
}

test.each(SECRETS)('compose refuses to start without %s', async (name) => {
  writeFileSync(join(folder, '.env'), filled.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=`))
  await expect(callCompose('config')).rejects.toThrow(`set ${name} in .env`)
})

test('three nodes serve behind the proxy, with their limits', async () => {
  const begun = performance.now()
  await compose('up', '--detach', '--no-build')
  await untilReady(url)
  for (const node of NODES) await untilReady(await addressOf(node))
  console.log(`The cluster is ready after ${((performance.now() - begun) / 1000).toFixed(0)} s.`)
  for (const name of [...NODES, 'postgres', 'redis']) await programs.podman('healthcheck', 'run', containerOf(name))
  for (const node of NODES) {
    expect(await inspect(node, '{{.HostConfig.Memory}} {{.HostConfig.ReadonlyRootfs}}')).toBe(`${512 * 2 ** 20} true`)
  }
  demoFile = join(programs.folder, 'demo.json')
  await programs.podman('cp', `${containerOf('node1')}:/data/demo.json`, demoFile)
  await expectFirstMessage(url, demoFile, 'first')
  expect((await fetch(`${url}/metrics`)).status).toBe(401)
})

test('a message that is tracked through the proxy reaches the sockets of all nodes', async () => {
  const session = await signIn(url, demoFile, 'across')
  const watchers = await Promise.all(NODES.map(async (node) => watchInbox(await addressOf(node), 'across', session)))
  await expect.poll(() => watchers.every((watcher) => watcher.isConnected())).toBe(true)
  await trackSignUp(url, demoFile, 'across')
  await expect.poll(() => watchers.map((watcher) => watcher.added().length)).toEqual([1, 1, 1])
  expect(watchers.map((watcher) => watcher.catchUps())).toEqual(NODES.map(() => ({ syncs: 0, resets: 0 })))
  for (const watcher of watchers) watcher.close()
})

test("limits count the address that the machine's proxy wrote", async () => {
  const remaining = async (address: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
    const body = JSON.stringify({ apiKey: 'nc_front_x', userId: 'eve', token: 'x' })
    const answer = await fetch(`${url}/v1/users/auth`, { method: 'POST', headers, body })
    return Number(answer.headers.get('ratelimit-remaining'))
  }
  const first = await remaining('203.0.113.1')
  expect([await remaining('203.0.113.1'), await remaining('203.0.113.2')]).toEqual([first - 1, first])
})

/**
 * Tracks for new users through the proxy before, during and after `act`.
 * @returns the users whose event was accepted, and the faults of the others
 */
async function trackDuring(act: () => Promise<unknown>): Promise<{ users: string[]; faults: unknown[] }> {
  let isOver = false
  const [users, faults, run]: [string[], unknown[], string] = [[], [], randomBytes(4).toString('hex')]
  const track = async (lane: number) => {
    for (let at = 0; !isOver; at += 1) {
      const user = `${run}-${lane}-${at}`
      await trackSignUp(url, demoFile, user).then(
        () => users.push(user),
        (fault: unknown) => faults.push(fault),
      )
      await delay(CALLS_EVERY_MS)
    }
  }
  const lanes = [1, 2, 3].map(track)
  const acceptMore = (before = users.length) => expect.poll(() => users.length).toBeGreaterThan(before + 10)
  try {
    await acceptMore()
    await act()
    await acceptMore()
  } finally {
    isOver = true
    await Promise.all(lanes)
  }
  return { users, faults }
}

async function expectWelcomed(users: string[]): Promise<void> {
  for (const user of users) await expect.poll(() => readTitles(url, demoFile, user)).toEqual(['Welcome to Loam'])
}

test('no request fails while a node is stopped, and each accepted event has its message', async () => {
  const { users, faults } = await trackDuring(() =>
    programs.podman('stop', '--time', String(GRACE_S), containerOf('node2')),
  )
  expect(await inspect('node2', '{{.State.ExitCode}}')).toBe('0')
  expect(faults).toEqual([])
  await expectWelcomed(users)
  await programs.podman('start', containerOf('node2'))
  await untilReady(await addressOf('node2'))
})

test('a killed node comes back by itself, and each accepted event has its message', async () => {
  const pid = Number(await inspect('node3', '{{.State.Pid}}'))
  const back = async () => {
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => inspect('node3', '{{.State.Pid}}').then(Number)).not.toBe(pid)
    await expect.poll(async () => untilReady(await addressOf('node3'))).toBeGreaterThan(0)
  }
  const { users } = await trackDuring(back)
  await expectWelcomed(users)
})

test('no request fails while nodes are replaced one after the other', async () => {
  const next = `${VERSION}-next`
  await programs.podman('tag', IMAGE, IMAGE.replace(VERSION, next))
  filled = filled.replace(`VERSION=${VERSION}`, `VERSION=${next}`)
  const { users, faults } = await trackDuring(async () => {
    for (const node of NODES) {
      await compose('up', '--detach', '--no-build', '--no-deps', '--wait', node)
      await untilReady(await addressOf(node))
    }
  })
  expect(await Promise.all(NODES.map((node) => inspect(node, '{{.ImageName}}')))).toEqual(
    NODES.map(() => IMAGE.replace(VERSION, next)),
  )
  expect(faults).toEqual([])
  await expectWelcomed(users)
})

test('a backup of PostgreSQL is restored as documented', async () => {
  const dump = ['pg_dump', '--username=notifications', '--format=custom', '--file=/backups/store.dump', 'notifications']
  await compose('exec', 'postgres', ...dump)
  await trackSignUp(url, demoFile, 'later')
  await compose('stop', ...NODES)
  const commands = [
    'dropdb --username=notifications notifications',
    'createdb --username=notifications notifications',
    'pg_restore --username=notifications --dbname=notifications --exit-on-error /backups/store.dump',
  ]
  await compose('exec', 'postgres', 'sh', '-c', commands.join(' && '))
  await compose('run', '--rm', '--no-deps', 'node1', 'nc', 'epoch', 'renew')
  await compose('start', ...NODES)
  for (const node of NODES) await untilReady(await addressOf(node))
  expect(await readTitles(url, demoFile, 'first')).toEqual(['Welcome to Loam'])
  expect(await readTitles(url, demoFile, 'later')).toEqual([])
})
