// Tests that the archive of a release is the same twice, and serves under each supported Node without npm.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../servers/server-process.ts'
import { expectFirstMessage, untilReady } from './first-message.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'nc-release-'))
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const TITLE = `notification-center-${VERSION}`
const unpacked = join(folder, 'unpacked', TITLE)
const archive = (of: string) => join(folder, of, `${TITLE}.tar.gz`)

const pack = (to: string) => run('npm', ['run', '--silent', 'release', join(folder, to), 'server'], { cwd: ROOT })
const NODES = ['20.19', '22', '24']

/** Fetches another Node by npm, whose packages have its binary. @returns the folder of the binary */
async function fetchNode(version: string): Promise<string> {
  const home = join(folder, `node-${version}`)
  const name = `node-linux-${process.arch}@${version}`
  await run('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', home, name])
  return join(home, 'node_modules', `node-linux-${process.arch}`, 'bin')
}

beforeAll(async () => {
  await pack('first')
  mkdirSync(dirname(unpacked))
  await run('tar', ['-xzf', archive('first'), '-C', dirname(unpacked)])
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts what was unpacked, with this folder alone on the PATH. @returns its address, and its log so far */
async function startUnpacked(path: string, dataDir: string): Promise<{ url: string; log: () => string }> {
  const port = await findFreePort()
  const env = { PATH: path, PORT: String(port), DATA_DIR: dataDir, SEED_DEMO: 'plain' }
  const server = spawn(join(unpacked, 'bin/start'), { env, cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(server, 'exit')
  let log = ''
  server.stdout.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  onTestFinished(async () => {
    server.kill()
    expect(await exited).toEqual([0, null])
  })
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  return { url, log: () => log }
}

const mailsOf = (dataDir: string) => (existsSync(join(dataDir, 'mails')) ? readdirSync(join(dataDir, 'mails')) : [])

test('two runs give the same bytes, and the checksum is theirs', async () => {
  await pack('second')
  expect(readFileSync(archive('second')).equals(readFileSync(archive('first')))).toBe(true)
  const { stdout } = await run('sha256sum', ['--check', `${archive('first')}.sha256`], { cwd: join(folder, 'first') })
  expect(stdout).toContain(': OK')
})

test('it has what a server needs, in 45 MB, and 14 packed', async () => {
  const files = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  expect(paths.filter((path) => /(\.map|\.ts|README\.md)$/i.test(path))).toEqual([])
  expect(paths.filter((path) => readFileSync(path).includes(ROOT))).toEqual([])
  expect(paths.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(45e6)
  expect(statSync(archive('first')).size).toBeLessThan(14e6)
  const { components } = JSON.parse(readFileSync(join(unpacked, 'sbom.cdx.json'), 'utf8'))
  const notices = readFileSync(join(unpacked, 'THIRD-PARTY-NOTICES'), 'utf8')
  const names = components.map((component: { 'bom-ref': string }) => component['bom-ref'])
  expect(names.filter((name: string) => !notices.includes(`${name} (`))).toEqual([])
  expect(names.length).toBeGreaterThan(100)
})

test.each(NODES)('it serves under Node %s without npm', async (version) => {
  const path = await fetchNode(version)
  const dataDir = join(folder, `data-${version}`)
  const { url, log } = await startUnpacked(path, dataDir)
  await expect.poll(log).toMatch(/SQLite \((better-sqlite3|libsql)\)/)
  await expectFirstMessage(url, join(dataDir, 'demo.json'), 'u_1')
  await expect.poll(() => mailsOf(dataDir)).toHaveLength(1)
  for (const page of ['/widget/notification-center.js', '/dashboard/sign-in', '/docs/reference.js']) {
    expect((await fetch(url + page)).status).toBe(200)
  }
  const nc = await run(join(unpacked, 'bin/nc'), ['retention', 'show'], { env: { PATH: path, DATA_DIR: dataDir } })
  expect(nc.stdout).toContain('90')
})

test('under the Node that packed it, it uses better-sqlite3 and renders a mail; each package loads', async () => {
  const dataDir = join(folder, 'data-own')
  const { url, log } = await startUnpacked(dirname(process.execPath), dataDir)
  await expect.poll(log).toContain('SQLite (better-sqlite3)')
  await expectFirstMessage(url, join(dataDir, 'demo.json'), 'u_1')
  await expect.poll(() => mailsOf(dataDir)).toHaveLength(1)
  const names = ['better-sqlite3', 'libsql', 'mrml', '@css-inline/css-inline']
  const script = `for (const name of ${JSON.stringify(names)}) await import(name)`
  await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: unpacked })
})

test('it has the files that its documents name, and no settings of an operator', async () => {
  const named = ['operations', 'runbook'].flatMap((name) =>
    [...readFileSync(join(unpacked, `docs/${name}.md`), 'utf8').matchAll(/\]\((?!http)([^)#]+)/g)].map(
      (link) => link[1],
    ),
  )
  expect(named.filter((path) => !existsSync(join(unpacked, 'docs', path as string)))).toEqual([])
  const secret = join(ROOT, 'deploy/.env.of-a-test')
  writeFileSync(secret, 'MASTER_KEY=secret')
  onTestFinished(() => rmSync(secret))
  await pack('third')
  expect(readFileSync(archive('third')).equals(readFileSync(archive('first')))).toBe(true)
})

test('its commands run through a link, and name themselves as they are called', async () => {
  mkdirSync(join(folder, 'links'))
  await run('ln', ['-s', join(unpacked, 'bin/nc'), join(folder, 'links/nc')])
  const nc = (...args: string[]) => run(join(folder, 'links/nc'), args)
  expect((await nc('--version')).stdout.trim()).toBe(VERSION)
  expect((await nc('--help')).stdout).toMatch(/^bin\/nc <noun> <verb>/)
})
