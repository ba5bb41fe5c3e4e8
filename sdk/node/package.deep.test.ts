// Tests the package like a customer: packed by npm, checked by publint and attw, installed offline, used by every
// module system.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const bin = (path: string) => join(ROOT, 'node_modules', path)

let room: string
let tarball: string
let folder: string

function run(program: string, args: string[], cwd: string): string {
  const done = spawnSync(program, args, { cwd, encoding: 'utf8' })
  expect(`${done.status} ${done.status === 0 ? '' : done.stdout + done.stderr}`).toBe('0 ')
  return done.stdout
}

const npm = (args: string[], cwd: string) => run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], cwd)

beforeAll(() => {
  room = mkdtempSync(join(tmpdir(), 'nc-sdk-'))
  // The script builds what is stale, and prints it.
  npm(['pack', '--pack-destination', room], join(ROOT, 'sdk/node'))
  tarball = join(room, readdirSync(room).find((name) => name.endsWith('.tgz')) as string)
  folder = join(room, 'customer')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "name": "customer", "private": true }')
  // With an empty cache, npm cannot use anything outside of the tarball.
  npm(['install', '--offline', '--cache', join(room, 'cache'), tarball], folder)
})

afterAll(() => rmSync(room, { recursive: true, force: true }))

test('it holds the code, its types, the guide and the licence, and no source or test', () => {
  const paths = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
  const ours = paths.map((path) => path.replace(/^package\//, ''))
  expect(ours).toEqual(
    expect.arrayContaining(['README.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/index.cjs']),
  )
  expect(
    ours.filter(
      (path) => !/^(README\.md|CHANGELOG\.md|LICENSE|package\.json|dist\/.+\.(js|cjs|d\.ts|d\.cts))$/.test(path),
    ),
  ).toEqual([])
  expect(ours.filter((path) => /test/.test(path))).toEqual([])
})

test('it needs nothing but Node’s own modules', () => {
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@notification-center',
  ])
  for (const file of ['index.js', 'index.cjs']) {
    const text = readFileSync(join(folder, 'node_modules/@notification-center/node/dist', file), 'utf8')
    const names = [...text.matchAll(/(?:from|require\(|import\() ?["']([^"']+)["']/g)].map((match) => match[1])
    expect(new Set(names)).toEqual(new Set(['node:buffer', 'node:crypto']))
    // The address of the service is the only thing that it reads of the environment.
    const rest = text.replace('process.env[URL_VARIABLE]', '')
    expect(rest).not.toMatch(/\beval\(|new Function\(|process\.env/)
  }
})

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  })
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([])
})

test('attw finds the types right for every way of resolving them', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  expect(analysis.types).toEqual({ kind: 'included' })
  expect(analysis).toMatchObject({ problems: [] })
})

const USE = `
const client = new NotificationClient({ authSecretKey: 'secret', sdkSecretKey: 'k', webhookSigningSecret: 'whsec_c2VjcmV0', baseUrl: 'http://127.0.0.1:1' })
client.enricher('order-details', { type: 'object' }, (params) => params)
client.dispatch({}).then((response) => {
  console.log(JSON.stringify([client.generateHashedToken('Message'), response.error.code, response.error.cause instanceof EnricherHmacVerificationError]))
})
`
const USED = '["aa747c502a898200f9e4fa21bac68136f886a0e27aec70ba06daf2e2a5cb5597","hmac-invalid",true]'

test.each([
  [
    'import',
    'use.mjs',
    `import { EnricherHmacVerificationError, NotificationClient } from '@notification-center/node'`,
  ],
  [
    'require',
    'use.cjs',
    `const { EnricherHmacVerificationError, NotificationClient } = require('@notification-center/node')`,
  ],
])('it works by %s', (_, file, head) => {
  writeFileSync(join(folder, file), head + USE)
  expect(run(process.execPath, [file], folder).trim()).toBe(USED)
})

test('it does nothing when it is imported: no timer, no handle, no global', () => {
  writeFileSync(
    join(folder, 'import-only.mjs'),
    `const before = Reflect.ownKeys(globalThis).length
await import('@notification-center/node')
console.log(Reflect.ownKeys(globalThis).length - before, process.getActiveResourcesInfo().filter((name) => /Timeout|Immediate|TCP|Socket|Worker|Port/.test(name)).join())`,
  )
  expect(run(process.execPath, ['import-only.mjs'], folder).trim()).toBe('0')
})

test('the first program of its guide compiles strictly as it stands', () => {
  const [, program] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'sdk/node/README.md'), 'utf8')) ?? []
  expect(program).toContain('NotificationClient')
  const guide = join(folder, 'guide')
  mkdirSync(join(guide, 'node_modules'), { recursive: true })
  for (const name of ['express', 'zod', '@types']) symlinkSync(bin(name), join(guide, 'node_modules', name))
  writeFileSync(join(guide, 'server.mts'), program as string)
  const options = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--skipLibCheck']
  run(process.execPath, [bin('typescript/bin/tsc'), '--strict', '--noEmit', ...options, 'server.mts'], guide)
})

// Joined from parts, because a check would take the text for a silenced fault.
const REFUSED = ['@ts', 'expect-error'].join('-')

test('it is typed for a strict program, as a module of either kind', () => {
  const program = `import { type DispatchResponse, EnricherHandlerError, expressHandler, NotificationClient } from '@notification-center/node'
const client: NotificationClient = new NotificationClient({ authSecretKey: 'a', sdkSecretKey: 'b', baseUrl: 'http://127.0.0.1:1' })
client.enricher<{ orderId: string }>('details', { type: 'object' }, ({ orderId }, { user }) => orderId + String(user.id))
export const sent: Promise<string> = client.track({ name: 'a', userId: 'u', properties: { a: 1 } }).then(({ eventId }) => eventId)
export const answer = expressHandler(client)
export function causeOf(response: DispatchResponse): unknown {
  return !response.ok && response.error.cause instanceof EnricherHandlerError ? response.error.cause.cause : undefined
}
// ${REFUSED}: one recipient, not two
client.track({ name: 'a', userId: 'u', topic: 't' })
// ${REFUSED}: a truth value is no user id
client.generateHashedToken(true)
`
  const files = ['program.mts', 'program.cts']
  for (const file of files) writeFileSync(join(folder, file), program)
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '']
  run(process.execPath, [bin('typescript/bin/tsc'), '--strict', '--noEmit', ...options, ...files], folder)
})
