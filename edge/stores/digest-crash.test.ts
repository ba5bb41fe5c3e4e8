// Tests digests on SQLite against a crash. A copy of the files between two statements equals the files of a crashed
// process.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import type { Sql } from './sql/sql.ts'
import { loadDriver } from './sqlite/driver.ts'
import { openConnection } from './sqlite/open.ts'
import { createSqliteEngine, createSqliteSql, SQLITE } from './sqlite/sql.ts'
import { type CrashableStore, callBefore, crashDigests } from './test/digest-crash.ts'

test('a digest whose process crashes between two statements loses and repeats nothing (SQLite)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'killed-digests-'))
  const driver = await loadDriver()
  const path = join(folder, 'store.db')
  const connection = openConnection(driver, path, 'writer')
  connection.exec('PRAGMA journal_mode = WAL')
  // A small cache, so that much of an open transaction is already in the log.
  connection.exec('PRAGMA cache_size = 10')
  const sql = createSqliteSql(connection)
  const engine = createSqliteEngine(connection, sql)
  await migrate(engine, SQLITE, 0)

  async function readCopy(look: (sql: Sql) => Promise<void>): Promise<void> {
    const copy = join(folder, 'copy.db')
    for (const end of ['', '-wal']) {
      rmSync(copy + end, { force: true })
      if (existsSync(path + end)) copyFileSync(path + end, copy + end)
    }
    rmSync(`${copy}-shm`, { force: true })
    const opened = openConnection(driver, copy, 'reader')
    await look(createSqliteSql(opened)).finally(() => opened.close())
  }

  class RolledBack extends Error {}
  const store: CrashableStore = {
    read: sql,
    run: (work) => engine.transaction(async (inside) => void (await work(inside))),
    async crashAtEach(work, look) {
      let points = 0
      const crash = async () => {
        points++
        await readCopy(look)
      }
      const rolledBack = engine.transaction(async (inside) => {
        await work(callBefore(inside, crash))
        await crash()
        throw new RolledBack()
      })
      await expect(rolledBack).rejects.toBeInstanceOf(RolledBack)
      return points
    },
  }
  await crashDigests(store, 'SQLite')
  connection.close()
  rmSync(folder, { recursive: true, force: true })
})
