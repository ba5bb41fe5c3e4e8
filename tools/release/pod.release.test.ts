// Tests that the Pod of the chart runs, by Podman: on PostgreSQL and Redis, and on SQLite.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../servers/server-process.ts'
import { type Chart, find, openChart, type Rendered } from './chart.ts'
import { type ContainerPrograms, startContainerPrograms } from './container-programs.ts'
import { expectFirstMessage, readTitles, untilReady } from './first-message.ts'
import { buildServerImage } from './server-image.ts'
import { buildStoreImages } from './store-images.ts'

const NETWORK = `nc-chart-${process.pid}`
const MASTER_KEY = randomBytes(32).toString('base64')
const PASSWORD = randomBytes(24).toString('hex')
const secret = {
  masterKey: MASTER_KEY,
  databaseUrl: `postgres://notifications:${PASSWORD}@${NETWORK}-postgres:5432/notifications`,
  redisUrl: `redis://${NETWORK}-redis:6379`,
}

let programs: ContainerPrograms
let chart: Chart

beforeAll(async () => {
  programs = await startContainerPrograms()
  chart = await openChart(programs)
  await buildServerImage(programs)
  await buildStoreImages(programs)
  await programs.podman('network', 'create', NETWORK)
})
afterAll(async () => {
  if (programs === undefined) return
  await programs.podman('pod', 'rm', '--force', '--all')
  await programs.podman('rm', '--force', '--all')
  await programs.podman('network', 'rm', '--force', NETWORK)
  programs.remove()
})

/** Starts one Pod of those that were rendered. @returns the addresses of its ports, and the name of its container */
async function play(objects: Rendered[], kinds: string[]) {
  const played = structuredClone(objects.filter(({ kind }) => kinds.includes(kind)))
  const { spec } = find(played, 'Deployment')
  spec.replicas = 1
  const urls: Record<string, string> = {}
  // Podman publishes each port, by the same number where none is given.
  for (const port of spec.template.spec.containers[0].ports) {
    Object.assign(port, { hostPort: await findFreePort(), hostIP: '127.0.0.1' })
    urls[port.name] = `http://127.0.0.1:${port.hostPort}`
  }
  const file = chart.writeFile(played.map((object) => JSON.stringify(object)).join('\n---\n'))
  await programs.podman('play', 'kube', '--network', NETWORK, file)
  const { http: url = '', metrics = '' } = urls
  return { url, metrics, server: 'nc-notification-center-pod-0-server' }
}

/** Ends the Pod as a cluster does. @returns the exit status */
async function end(server: string): Promise<string> {
  await programs.podman('stop', '--time', '30', server)
  const status = await programs.podman('inspect', '--format', '{{.State.ExitCode}}', server)
  await programs.podman('pod', 'rm', '--force', '--all')
  return status
}

/** Podman 4 keeps the data of a Secret as JSON. */
async function createSecret(objects: Rendered[]): Promise<void> {
  const { metadata, data } = find(objects, 'Secret')
  await programs.podman('secret', 'create', metadata.name, chart.writeFile(JSON.stringify(data)))
  onTestFinished(() => programs.podman('secret', 'rm', metadata.name).then(() => {}))
}

async function copyDemo(server: string): Promise<string> {
  const file = join(programs.folder, 'demo.json')
  await programs.podman('cp', `${server}:/data/store/demo.json`, file)
  return file
}

const values = {
  image: { repository: 'localhost/notification-center' },
  publicUrl: 'https://notify.example.com',
  // Gives the test an organisation with campaigns.
  settings: { SEED_DEMO: 'plain' },
}

test('it serves on PostgreSQL and Redis without rights, and its metrics have a port of their own', async () => {
  const database = ['POSTGRES_USER=notifications', 'POSTGRES_DB=notifications', `POSTGRES_PASSWORD=${PASSWORD}`]
  const settings = database.flatMap((setting) => ['--env', setting])
  const run = (name: string, ...rest: string[]) =>
    programs.podman('run', '--detach', '--network', NETWORK, '--name', `${NETWORK}-${name}`, ...rest)
  await run('postgres', ...settings, 'docker.io/library/postgres:17-bookworm')
  await run('redis', 'docker.io/library/redis:7.2-bookworm', 'redis-server', '--protected-mode', 'no')
  const objects = await chart.render({ ...values, secret })
  await createSecret(objects)
  const { url, server, metrics } = await play(objects, ['Deployment'])
  await untilReady(url)
  await expectFirstMessage(url, await copyDemo(server), 'ada')
  const pid = await programs.podman('inspect', '--format', '{{.State.Pid}}', server)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  for (const line of [/^Uid:\t10001\t/m, /^CapBnd:\t0+$/m, /^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m]) {
    expect(status).toMatch(line)
  }
  expect((await fetch(`${url}/metrics`)).status).toBe(401)
  expect(await (await fetch(`${metrics}/metrics`)).text()).toMatch(/^nc_build_info{.*engine="PostgreSQL/m)
  expect(await programs.podman('exec', server, 'nc', 'org', 'list')).toMatch(/org_/)

  // The liveness of a node does not depend on its database, and its readiness does.
  await programs.podman('stop', `${NETWORK}-postgres`)
  await expect.poll(() => fetch(`${url}/readyz`).then((answer) => answer.status)).toBe(503)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await programs.podman('start', `${NETWORK}-postgres`)
  await untilReady(url)
  expect(await end(server)).toBe('0')
})

test('it keeps SQLite in its volume', async () => {
  const objects = await chart.render({ ...values, secret: { masterKey: MASTER_KEY }, sqlite: { enabled: true } })
  await createSecret(objects)
  const first = await play(objects, ['Deployment', 'PersistentVolumeClaim'])
  await untilReady(first.url)
  const demoFile = await copyDemo(first.server)
  await expectFirstMessage(first.url, demoFile, 'ada')
  const backup = await programs.podman('exec', first.server, 'nc', 'backup', '--to', '/data/backup.db')
  expect(backup).toContain('Wrote /data/backup.db')
  expect(await end(first.server)).toBe('0')
  const second = await play(objects, ['Deployment'])
  await untilReady(second.url)
  expect(await readTitles(second.url, demoFile, 'ada')).toEqual(['Welcome to Loam'])
  expect(await end(second.server)).toBe('0')
})
