// Tests backup files and the generated master key of a running edge. SQLite alone: it keeps data and key in a folder.

import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
})
afterAll(() => given.stop())

const dev = () => given.demo.environments.dev
const env = () => `--env ${dev().id}`

test('a backup is possible under load, a restore only after the edge has stopped, and the former store is kept', async () => {
  const file = join(given.dataDir, 'backup.db')
  const before = await given.signIn('kept')
  let isOn = true
  const load = (async () => {
    for (let n = 0; isOn; n++) await given.track({ name: 'cli.erased', userId: `load-${n % 50}` })
  })()
  expect(await cli.nc(`backup --to ${file}`)).toMatchObject({ code: 0 })
  isOn = false
  await load
  const { size, mode } = await stat(file)
  expect(size).toBeGreaterThan(4096)
  expect(mode & 0o777).toBe(0o600)
  expect(await cli.nc(`backup --to ${file}`)).toMatchObject({ code: 1, err: expect.stringContaining('exists') })
  expect(await cli.nc(`restore --from ${file} --yes`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Another'),
  })
  await given.track({ name: 'cli.erased', userId: 'after-the-backup' })
  await given.edge.close()
  expect(await cli.nc(`restore --from ${join(given.dataDir, 'demo.json')} --yes`)).toMatchObject({ code: 1 })
  const message = `${given.dataDir} cannot be read. Is it a file that you may read?\n`
  expect(await cli.nc(`restore --from ${given.dataDir} --yes`)).toMatchObject({ code: 1, err: message })
  expect((await cli.json<{ kept: string }>(`restore --from ${file} --yes`)).kept).toContain('before-restore')
  await given.restart()
  expect((await given.call('GET', '/v1/users/after-the-backup', { key: dev().sdkSecretKey })).status).toBe(404)
  expect((await given.call('GET', '/v1/users/kept', { key: dev().sdkSecretKey })).status).toBe(200)
  const { inbox } = await given.page(await given.signIn('kept'))
  expect(inbox.epoch).not.toBe(before.inbox.epoch)
  expect(await cli.json('stats rebuild')).toMatchObject({ differed: 0 })
  await rm(file)
})

test('a backup and an export into a folder that is not there are refused, and the environment stays open', async () => {
  const missing = join(given.dataDir, 'mistyped')
  const refused = { code: 1, err: expect.stringContaining(`There is no folder ${missing}.`) }
  const keyFile = join(given.dataDir, 'transport.key')
  await writeFile(keyFile, 'x'.repeat(64))
  expect(await cli.nc(`backup --to ${join(missing, 'store.db')}`)).toMatchObject(refused)
  const to = `--to ${join(missing, 'all.ndjson')}`
  expect(await cli.nc(`export ${to}`)).toMatchObject(refused)
  expect(await cli.nc(`env export ${env()} ${to} --key-file ${keyFile}`)).toMatchObject(refused)
  await expect(stat(missing)).rejects.toThrow('ENOENT')
  expect(await cli.nc(`env show ${env()}`)).toMatchObject({ out: expect.not.stringContaining('closed') })
  expect((await given.track({ name: 'still.open', userId: 'u' })).status).toBe(202)
})

test('the master key is rotated only after the edge has stopped, and older backups then need the old key', async () => {
  const before = join(given.dataDir, 'before.db')
  expect(await cli.nc(`backup --to ${before}`)).toMatchObject({ code: 0 })
  expect(await cli.nc('master-key rotate')).toMatchObject({ code: 1, err: expect.stringContaining('Another process') })
  await given.edge.close()
  const oldKey = await readFile(join(given.dataDir, 'master.key'))
  expect(await cli.json('master-key rotate')).toMatchObject({ resumed: false })
  const newKey = await readFile(join(given.dataDir, 'master.key'))
  const after = join(given.dataDir, 'after.db')
  expect(await cli.nc(`backup --to ${after}`)).toMatchObject({ code: 0 })
  const restored = await cli.nc(`restore --from ${before} --yes`)
  expect(restored).toMatchObject({
    code: 0,
    out: expect.stringMatching(/sealed under master key \w+, which is not here/),
  })
  await writeFile(join(given.dataDir, 'master.key'), oldKey)
  expect((await cli.nc(`restore --from ${before} --yes`)).out).toContain('Restored. Start the server.')
  await writeFile(join(given.dataDir, 'master.key'), newKey)
  expect(await cli.json(`restore --from ${after} --yes`)).toMatchObject({ missingKeys: [] })
  for (const file of [before, after]) await rm(file)
  await given.restart()
  expect((await given.signIn('ann')).environment.name).toBe('dev')
  expect(await cli.json(`secret show ${env()} --kind authSecretKey`)).toMatchObject({ values: [dev().authSecretKey] })
})

test.each<[string, Buffer]>([
  ['no database', Buffer.alloc(50_000, 'no store')],
  ['half a database', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(50_000, 0x5a)])],
])(
  'a store that became %s is reported by server, command line and doctor, and a backup replaces it',
  async (_, bytes) => {
    const file = join(given.dataDir, 'healthy.db')
    const store = join(given.dataDir, 'store.db')
    expect(await cli.nc(`backup --to ${file}`)).toMatchObject({ code: 0 })
    await given.edge.close()
    await writeFile(store, bytes)
    const message = `${store} is damaged`
    expect(await cli.nc('env list')).toMatchObject({ code: 1, err: expect.stringContaining(message) })
    expect((await cli.nc('doctor')).out).toContain(message)
    await expect(given.restart()).rejects.toThrow(message)
    const { kept } = await cli.json<{ kept: string }>(`restore --from ${file} --yes`)
    expect((await stat(kept)).size).toBe(bytes.length)
    await given.restart()
    expect((await given.signIn('ann')).environment.name).toBe('dev')
    expect((await readdir(given.dataDir)).filter((name) => name.endsWith('.part'))).toEqual([])
    await rm(file)
  },
)

test.each(['store.db', 'store.lock'])('%s that cannot be opened is reported with its path', async (name) => {
  const path = join(given.dataDir, name)
  await given.edge.close()
  await rename(path, `${path}.aside`)
  // Root may open every file, but cannot open a folder as a file.
  await mkdir(path)
  await expect(given.restart()).rejects.toThrow(`${path} cannot be opened for writing`)
  if (name === 'store.db') {
    const message = expect.stringContaining(`${path} cannot be opened for writing`)
    expect(await cli.nc('env list')).toMatchObject({ code: 1, err: message })
    expect(await cli.nc('doctor')).toMatchObject({ code: 1, out: message })
    expect(await cli.nc(`backup --to ${join(given.dataDir, 'none.db')}`)).toMatchObject({ code: 1, err: message })
  }
  await rmdir(path)
  await rename(`${path}.aside`, path)
  await given.restart()
})
