// Tests an import that is killed midway: servers refuse the incomplete store with the reason; it can be repeated.
// SQLite alone: the store's own tests interrupt imports into PostgreSQL.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startEdge } from '../../serve.ts'
import { openMaintenanceSqlite } from '../../stores/portable/sqlite-maintenance.ts'
import { findUnfinishedImport } from '../../stores/portable/unfinished-import.ts'
import { openSqliteStores } from '../../stores/sqlite/stores.ts'
import { buildEdge } from '../support/edge-process.ts'
import { BUILT_NC, givenNc } from '../support/given-nc.ts'

const USERS = 60_000
const folder = mkdtempSync(join(tmpdir(), 'nc-killed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const MASTER_KEY = Buffer.alloc(32, 5).toString('base64')

async function fillStore(dataDir: string): Promise<void> {
  const stores = await openSqliteStores({ dataDir, clock: { now: () => 1 } })
  const all = Array.from({ length: USERS }, (_, n) => `u${n}`)
  for (let n = 0; n < USERS; n += 1000) await stores.topics.change(1, 'all', all.slice(n, n + 1000), [], 1)
  await stores.close()
}

/** Returns true when rows exist and the import mark is still set. */
async function isMidway(dataDir: string): Promise<boolean> {
  if (!existsSync(join(dataDir, 'store.db'))) return false
  const store = await openMaintenanceSqlite(dataDir, { exclusive: false })
  try {
    return await store.snapshot(async (sql) => {
      if (!(await store.hasTable(sql, 'app_user'))) return false
      const isMarked = (await findUnfinishedImport(sql)) !== undefined
      return isMarked && (await store.readIdentity(sql, 'app_user', 'user_no')) > 0
    })
  } finally {
    await store.close()
  }
}

/**
 * Starts imports until one is killed midway; one may end while this process is blocked.
 * @returns the folder of the killed import
 */
async function killMidway(file: string): Promise<string> {
  await buildEdge()
  for (let attempt = 0; attempt < 10; attempt++) {
    const target = join(folder, `target-${attempt}`)
    const env = { ...process.env, DATA_DIR: target, MASTER_KEY }
    const args = [BUILT_NC, 'import', '--from', file]
    const child = spawn(process.execPath, args, {
      cwd: resolve(import.meta.dirname, '../../..'),
      env,
      stdio: 'ignore',
    })
    let isOver = false
    const exited = once(child, 'exit').finally(() => {
      isOver = true
    })
    // While tables are created, reads may fail.
    const checkMidway = () => isMidway(target).catch(() => false)
    while (!isOver && !(await checkMidway())) await setTimeout(5)
    child.kill('SIGKILL')
    await exited
    if (await checkMidway()) return target
  }
  throw new Error('No import was met in the middle.')
}

test('a store with an unfinished import is refused with the reason, and the import can be repeated', async () => {
  const source = join(folder, 'source')
  const file = join(folder, 'export.ndjson')
  await fillStore(source)
  await givenNc({ DATA_DIR: source, MASTER_KEY }).json(`export --to ${file}`)
  const target = await killMidway(file)

  const start = () => startEdge({ PORT: '0', DATA_DIR: target, MASTER_KEY, LOG_LEVEL: 'silent' })
  await expect(start()).rejects.toThrow(/An import into this store was begun at 2.* has not finished.* import --from/)
  const cli = givenNc({ DATA_DIR: target, MASTER_KEY })
  expect(await cli.nc('doctor')).toMatchObject({ code: 1, out: expect.stringContaining('has not finished') })
  expect(await cli.nc('org list')).toMatchObject({ code: 1, err: expect.stringContaining('has not finished') })
  expect(await cli.nc('migrate')).toMatchObject({ code: 1, err: expect.stringContaining('Repeat the import') })
  await cli.json(`import --from ${file}`)
  for (const path of [file, join(target, 'store.db')]) expect((await stat(path)).mode & 0o777, path).toBe(0o600)
  await (await start()).close()
})

test('a file that is damaged or sealed under another master key is refused before anything is written', async () => {
  const [source, target] = [join(folder, 'sealed'), join(folder, 'untouched')]
  const edge = await startEdge({ PORT: '0', DATA_DIR: source, MASTER_KEY, SEED_DEMO: 'plain', LOG_LEVEL: 'silent' })
  await edge.close()
  const file = join(folder, 'sealed.ndjson.gz')
  await givenNc({ DATA_DIR: source, MASTER_KEY }).json(`export --to ${file}`)
  const other = Buffer.alloc(32, 6).toString('base64')
  for (const env of [{ DATA_DIR: target }, { DATA_DIR: target, MASTER_KEY: other }]) {
    const result = await givenNc(env).nc(`import --from ${file}`)
    expect(result).toMatchObject({ code: 1, err: expect.stringContaining('sealed under master key') })
  }
  const { nc } = givenNc({ DATA_DIR: target, MASTER_KEY })
  expect(await nc(`import --from ${join(source, 'store.db')}`)).toMatchObject({ code: 1 })
  expect(await nc(`import --from ${file} --keep-epoch --new-epoch`)).toMatchObject({ code: 2 })
  expect(existsSync(target)).toBe(false)
  expect(await nc(`import --from ${file} --check-only`)).toMatchObject({
    code: 0,
    out: expect.stringContaining('whole'),
  })
  // The key list opens values that the former key sealed; `master-key rotate` seals them with the new one.
  const list = givenNc({ DATA_DIR: target, MASTER_KEY: `${other},${MASTER_KEY}` })
  await list.json(`import --from ${file}`)
  expect(await list.json('master-key rotate')).toMatchObject({ resealed: 9 })
  const moved = await startEdge({ PORT: '0', DATA_DIR: target, MASTER_KEY: other, LOG_LEVEL: 'silent' })
  await moved.close()
})
