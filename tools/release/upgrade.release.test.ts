// Tests an upgrade by archives: the previous release serves, this one starts on its data, and a backup leads back.
// The previous release is the newest tag; before the first release it is the last commit.

import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCommit } from '../../edge/test/support/previous-release.ts'
import { freshDatabase } from '../../edge/test/support/servers.ts'
import { programPath } from '../programs/programs.ts'
import { findFreePort } from '../servers/server-process.ts'
import { expectFirstMessage, readTitles, untilReady } from './first-message.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const room = mkdtempSync(join(tmpdir(), 'nc-upgrade-'))
const releases = { former: '', current: '' }

beforeAll(async () => {
  const former = await checkOut(await findCommit())
  releases.former = await unpack(former, 'former')
  rmSync(former, { recursive: true })
  releases.current = await unpack(ROOT, 'current')
})

afterAll(() => rmSync(room, { recursive: true, force: true }))

/** Clones the repository at a commit, with its packages. @returns the folder */
async function checkOut(commit: string): Promise<string> {
  const folder = join(room, 'checkout')
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', ROOT, folder])
  await run('git', ['checkout', '--quiet', commit], { cwd: folder })
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lock(folder) !== lock(ROOT)) await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
  else {
    // Their links to workspaces lead to those of the clone.
    for (const path of ['node_modules', 'edge/node_modules']) await copyPackages(join(ROOT, path), join(folder, path))
  }
  return folder
}

/** Copies a folder by hard links where both are on one file system: it has a gigabyte. */
async function copyPackages(from: string, to: string): Promise<void> {
  await run('cp', ['-al', from, to]).catch(async () => {
    rmSync(to, { recursive: true, force: true })
    await run('cp', ['-a', from, to])
  })
}

/** Packs the archive of a checkout. @returns the folder that it unpacks to */
async function unpack(checkout: string, name: string): Promise<string> {
  const target = join(room, name)
  await run('npm', ['run', '--silent', 'release', target, 'server'], { cwd: checkout, maxBuffer: 2 ** 26 })
  const archive = readdirSync(target).find((file) => file.endsWith('.tar.gz')) as string
  mkdirSync(join(target, 'unpacked'))
  await run('tar', ['-xzf', join(target, archive), '-C', join(target, 'unpacked')])
  return join(target, 'unpacked', archive.replace(/\.tar\.gz$/, ''))
}

interface Data {
  /** Settings of servers and commands; a restored store may have others. */
  env: Record<string, string>
  demoFile: string
  backUp(): Promise<unknown>
  /** With the former release. */
  restore(): Promise<unknown>
}

function givenData(engine: string, more: Record<string, string> = {}): Pick<Data, 'env' | 'demoFile'> {
  const dataDir = join(room, `data-${engine}`)
  const env = { PATH: dirname(process.execPath), DATA_DIR: dataDir, SEED_DEMO: 'plain', RATE_LIMITS: 'off', ...more }
  return { env, demoFile: join(dataDir, 'demo.json') }
}

function onSqlite(): Data {
  const given = givenData('sqlite')
  const backup = join(room, 'before.db')
  return {
    ...given,
    backUp: () => nc(releases.former, given.env, 'backup', '--to', backup),
    restore: () => nc(releases.former, given.env, 'restore', '--from', backup, '--yes'),
  }
}

async function onPostgres(): Promise<Data> {
  const url = await freshDatabase()
  const given = givenData('postgres', { DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('base64') })
  const tool = (name: string, ...args: string[]) => run(join(programPath('postgres'), name), args)
  const backup = join(room, 'before.dump')
  return {
    ...given,
    backUp: () => tool('pg_dump', '--format=custom', `--file=${backup}`, url),
    async restore() {
      given.env.DATABASE_URL = await freshDatabase()
      await tool('pg_restore', '--no-owner', `--dbname=${given.env.DATABASE_URL}`, backup)
      // The dump has the lease of the server that ran then: the command refuses until that has run out.
      const renew = () => nc(releases.former, given.env, 'epoch', 'renew').catch(String)
      await expect.poll(renew).toContain('Start the server.')
    },
  }
}

/** Runs a server of a release on the data while `use` runs, and expects it to end well. */
async function serve(release: string, { env }: Data, use: (url: string) => Promise<void>): Promise<void> {
  const port = await findFreePort()
  const settings = { ...env, PORT: String(port) }
  const server = spawn(join(release, 'bin/start'), { env: settings, cwd: room, stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(server, 'exit')
  try {
    await untilReady(`http://127.0.0.1:${port}`)
    await use(`http://127.0.0.1:${port}`)
  } finally {
    server.kill()
    expect(await exited).toEqual([0, null])
  }
}

const nc = async (release: string, env: Record<string, string>, ...args: string[]) =>
  (await run(join(release, 'bin/nc'), args, { env, cwd: room })).stdout

/** Calls each GET without a name in its path, as a backend and as a stranger: none is a defect. */
async function expectAllAnswer(url: string, demoFile: string): Promise<void> {
  const { environments } = JSON.parse(readFileSync(demoFile, 'utf8'))
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> }
  const reads = Object.keys(paths).filter((path) => 'get' in (paths[path] as object) && !path.includes('{'))
  expect(reads.length).toBeGreaterThan(10)
  const headers = { authorization: `Bearer ${environments.dev.sdkSecretKey}` }
  const statuses = await Promise.all(reads.map(async (path) => [path, (await fetch(url + path, { headers })).status]))
  expect(statuses.filter(([, status]) => Number(status) >= 500)).toEqual([])
  expect(statuses.filter(([, status]) => status === 200).length).toBeGreaterThan(5)
  for (const page of ['/widget/notification-center.js', '/dashboard/sign-in', '/docs']) {
    expect((await fetch(url + page)).status).toBe(200)
  }
}

const WELCOME = ['Welcome to Loam']

test.each([
  { engine: 'SQLite', given: onSqlite },
  { engine: 'PostgreSQL', given: onPostgres },
])('on $engine, this release serves the data of the previous one, and the backup leads back', async ({ given }) => {
  const data = await given()
  const { demoFile } = data
  await serve(releases.former, data, async (url) => {
    await expectFirstMessage(url, demoFile, 'u_before')
    await data.backUp()
  })

  await serve(releases.current, data, async (url) => {
    expect(await readTitles(url, demoFile, 'u_before')).toEqual(WELCOME)
    await expectFirstMessage(url, demoFile, 'u_after')
    await expectAllAnswer(url, demoFile)
  })
  const rebuilt = await nc(releases.current, data.env, 'stats', 'rebuild', '--json')
  expect(JSON.parse(rebuilt)).toMatchObject({ differed: 0 })

  await data.restore()
  await serve(releases.former, data, async (url) => {
    expect(await readTitles(url, demoFile, 'u_before')).toEqual(WELCOME)
    expect(await readTitles(url, demoFile, 'u_after')).toEqual([])
    await expectFirstMessage(url, demoFile, 'u_later')
  })
})
