// Tests the opening of a SQLite store: one process at a time, no lock after a kill, and data of a newer version.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DRIVERS } from '../test/drivers.ts'
import { type DriverName, loadDriver } from './driver.ts'
import { openConnection, sizeWriterCache } from './open.ts'
import { openSqliteStores } from './stores.ts'

const clock = { now: () => Date.UTC(2026, 5, 1) }

for (const driver of DRIVERS) {
  describe(`opening with ${driver}`, () => {
    let dataDir = ''
    beforeEach(() => {
      dataDir = mkdtempSync(join(tmpdir(), 'store-open-'))
    })
    afterEach(() => rmSync(dataDir, { recursive: true, force: true }))
    const open = () => openSqliteStores({ dataDir, clock, driver })

    test('a folder in use is refused with an explanation, and free after the close', async () => {
      const stores = await open()
      expect(stores.engine).toBe(`SQLite (${driver})`)
      await expect(open()).rejects.toThrow(/Another process already works on the data in .*DATA_DIR/)
      await stores.ping()
      await stores.close()
      await (await open()).close()
    })

    test('a store that cannot be opened is refused with its path and what to check', async () => {
      const path = join(dataDir, 'store.db')
      // A folder in place of the file, because root may open every file.
      mkdirSync(path)
      await expect(open()).rejects.toThrow(`${path} cannot be opened for writing`)
    })

    test('a writer has a small cache until its file is larger than the offset of the lock page', async () => {
      const path = join(dataDir, 'sized.db')
      const cacheKib = async () => {
        const connection = openConnection(await loadDriver(driver), path, 'writer')
        connection.exec('CREATE TABLE IF NOT EXISTS example (text TEXT)')
        sizeWriterCache(connection)
        const [{ cache_size }] = connection.prepare('PRAGMA cache_size').all([]) as [{ cache_size: number }]
        connection.close()
        return -cache_size
      }
      expect(await cacheKib()).toBe(16 * 1024)
      // A sparse file, with the number of its pages in the header.
      const pages = Buffer.alloc(4)
      pages.writeUInt32BE(2 ** 18 + 2)
      const file = openSync(path, 'r+')
      writeSync(file, pages, 0, 4, 28)
      ftruncateSync(file, (2 ** 18 + 2) * 4096)
      closeSync(file)
      expect(await cacheKib()).toBe(192 * 1024)
    })

    test('a killed process leaves no lock, and its acknowledged writes are stored', async () => {
      const child = startHolder(dataDir, driver)
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      expect(line.toString().trim()).toBe('acknowledged')
      await expect(open()).rejects.toThrow(/Another process/)
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      const stores = await open()
      expect(await stores.users.find(1, 'u1')).toMatchObject({ email: 'a@example.org' })
      await stores.close()
    })

    test('claims of a killed process are due at once, jobs for a later time are not', async () => {
      await (await open()).close()
      const connection = (await loadDriver(driver)).open(join(dataDir, 'store.db'), 0)
      const now = clock.now()
      const rows = [
        // Claimed (the interrupted attempt counts), to be retried in minutes, not yet due, dead.
        [1, now + 59_000, 2],
        [2, now + 120_000, 5],
        [3, now + 30_000, 0],
        [4, null, 10],
      ] as const
      for (const [id, dueAt, attempts] of rows) {
        connection
          .prepare(`INSERT INTO job (id, environment_id, kind, payload, run_at, created_at, due_at, attempts, fence)
            VALUES (?, 1, 'k', '{}', ?, 0, ?, ?, 1)`)
          .run([id, now - 500, dueAt, attempts])
      }
      connection.close()
      const stores = await open()
      expect(await stores.jobs.claim(now, 60_000, 10, ['k'])).toMatchObject([{ id: 1, attempts: 3, fence: 2 }])
      expect(await stores.jobs.nextDueInMs(now, ['k'])).toBe(30_000)
      await stores.close()
    })

    test('a close leaves the data in one file', async () => {
      const stores = await open()
      await stores.users.upsert(1, 'u1', {}, 5)
      await stores.close()
      const log = join(dataDir, 'store.db-wal')
      expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
    })

    test('the log moves into the database while the store is open', async () => {
      const stores = await open()
      const sizeOf = (name: string) => statSync(join(dataDir, name)).size
      const before = sizeOf('store.db')
      const attributes = { text: 'x'.repeat(50_000) }
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => stores.users.upsert(1, `u${index}`, { attributes }, 5)),
      )
      await expect.poll(() => sizeOf('store.db')).toBeGreaterThan(before + 1_000_000)
      await stores.close()
    })

    test('data of a newer version are refused', async () => {
      await (await open()).close()
      const connection = (await loadDriver(driver)).open(join(dataDir, 'store.db'), 0)
      connection.exec('INSERT INTO migration (number, oldest_binary, applied_at) VALUES (900, 800, 0)')
      connection.close()
      await expect(open()).rejects.toThrow(/newer version \(tables 900/)
      // The refusal releases the lock of the folder.
      await expect(open()).rejects.toThrow(/newer version/)
    })
  })
}

/** Starts a process that opens the store, writes a user, prints `acknowledged` and keeps running. */
function startHolder(dataDir: string, driver: DriverName) {
  const module = new URL('./stores.ts', import.meta.url).href
  const script = `const { openSqliteStores } = await import(${JSON.stringify(module)})
    const stores = await openSqliteStores({ dataDir: ${JSON.stringify(dataDir)}, clock: { now: () => 5 }, driver: '${driver}' })
    await stores.users.upsert(1, 'u1', { email: 'a@example.org' }, 5)
    process.stdout.write('acknowledged')`
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
