// Tests SQLite's log under load. It restarts at its size, and a reader with an old snapshot (`nc backup`) delays no
// commit (docs/decisions/0003-sqlite-checkpoints.md).

import { execFile } from 'node:child_process'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { startRunningTime } from '../../lib/running-time.ts'
import { DRIVERS } from '../test/drivers.ts'
import { givenStore, trackPlan, write } from '../test/given.ts'
import { loadDriver } from './driver.ts'
import { openSqliteStores } from './stores.ts'

const MIB = 2 ** 20
const time = startRunningTime(10)
afterAll(time.stop)
/** Events of a commit, and the bytes of each. */
const EVENTS = 50
const EVENT_BYTES = 20_000
/** The bytes that a commit writes, with indexes. */
const COMMIT_BYTES = 1.2 * MIB

const READ_AND_CLOSE = `
  const [, driver, path] = process.argv
  const database = new (await import(driver)).default(path)
  database.prepare('SELECT COUNT(*) FROM tracked_event').all()
  database.close()`

for (const driver of DRIVERS) {
  describe(`the log with ${driver}`, () => {
    let dataDir = ''
    const given = givenStore((options) => {
      dataDir = options.dataDir
      return openSqliteStores({ ...options, driver })
    })
    const log = () => join(dataDir, 'store.db-wal')

    /** Commits a little more than a megabyte; returns the duration (ms in which this process ran). */
    async function commit(): Promise<number> {
      const begunMs = time.now()
      const environmentId = given.environmentId()
      const properties = JSON.stringify({ text: 'x'.repeat(EVENT_BYTES) })
      const plans = Array.from({ length: EVENTS }, () => trackPlan(given, { environmentId }))
      for (const { event } of plans) if (event !== null) event.properties = properties
      await Promise.all(plans.map((plan) => write(given, plan)))
      return time.now() - begunMs
    }

    /** Returns the number of restarts of the log, from the header of its file. */
    function restarts(): number {
      const head = Buffer.alloc(16)
      const file = openSync(log(), 'r')
      readSync(file, head, 0, head.length, 0)
      closeSync(file)
      return head.readUInt32BE(12)
    }

    test('it restarts at its size, and the file does not grow', async () => {
      const wanted = restarts() + 3
      let commits = 0
      // Without a pause, in which SQLite would restart it by itself. A slow disk needs many commits.
      for (; restarts() < wanted && commits < 1500; commits += 1) await commit()
      expect(restarts()).toBeGreaterThanOrEqual(wanted)
      expect(statSync(log()).size).toBeLessThan(commits * COMMIT_BYTES)
    })

    test('a reader that keeps its snapshot delays the restart, but no commit', async () => {
      const reader = (await loadDriver(driver)).open(join(dataDir, 'store.db'), 0)
      reader.exec('BEGIN')
      reader.prepare('SELECT COUNT(*) FROM tracked_event').all([])
      const before = restarts()
      let slowestMs = 0
      for (let at = 0; at < 120; at += 1) slowestMs = Math.max(slowestMs, await commit())
      // Without the checkpoint thread, SQLite would let a writer wait for ten seconds.
      expect(slowestMs).toBeLessThan(8000)
      expect(statSync(log()).size).toBeGreaterThan(100 * MIB)
      reader.exec('COMMIT')
      reader.close()
      await expect.poll(async () => (await commit()) && restarts()).toBeGreaterThan(before)
    })

    test('another process that reads and closes does not remove the log of a process that has synced the file', async () => {
      const reader = (await loadDriver(driver)).open(join(dataDir, 'store.db'), 0)
      reader.exec('BEGIN')
      reader.prepare('SELECT COUNT(*) FROM tracked_event').all([])
      const before = restarts()
      // Enough frames that the file is synced before the log restarts.
      while (statSync(log()).size < 60 * MIB) await commit()
      reader.exec('COMMIT')
      reader.close()
      await expect.poll(async () => (await commit()) && restarts()).toBeGreaterThan(before)
      await commit()
      // The last connection that closes removes the log; SQLite finds it by the locks of all processes.
      const { ino } = statSync(log())
      const path = join(dataDir, 'store.db')
      await promisify(execFile)(process.execPath, ['--input-type=module', '-e', READ_AND_CLOSE, driver, path])
      expect(statSync(log()).ino).toBe(ino)
    })
  })
}
