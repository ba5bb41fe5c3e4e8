// Tests digests on SQLite against a crash: copies of the files between two statements of a transaction are what an
// ended process leaves.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import type { Sql } from './sql/sql.ts'
import { loadDriver } from './sqlite-driver.ts'
import { openConnection } from './sqlite-open.ts'
import { createSqliteEngine, createSqliteSql, SQLITE } from './sqlite-sql.ts'
import { crashDigests, type Mortal, telling } from './suite/digest-crash.ts'

test('a digest whose process ends between two statements loses and doubles nothing (SQLite)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'killed-digests-'))
  const driver = await loadDriver()
  const path = join(folder, 'store.db')
  const connection = openConnection(driver, path, 'writer')
  connection.exec('PRAGMA journal_mode = WAL')
  // A cache of few pages: much of a transaction that is under way stands in the log already.
  connection.exec('PRAGMA cache_size = 10')
  const sql = createSqliteSql(connection)
  const engine = createSqliteEngine(connection, sql)
  await migrate(engine, SQLITE, 0)

  async function lookAtCopy(look: (sql: Sql) => Promise<void>): Promise<void> {
    const copy = join(folder, 'copy.db')
    for (const end of ['', '-wal']) {
      rmSync(copy + end, { force: true })
      if (existsSync(path + end)) copyFileSync(path + end, copy + end)
    }
    rmSync(`${copy}-shm`, { force: true })
    const found = openConnection(driver, copy, 'reader')
    await look(createSqliteSql(found)).finally(() => found.close())
  }

  class Undone extends Error {}
  const mortal: Mortal = {
    read: sql,
    run: (work) => engine.transaction(async (inside) => void (await work(inside))),
    async killEverywhere(work, look) {
      let points = 0
      const die = async () => {
        points++
        await lookAtCopy(look)
      }
      const undone = engine.transaction(async (inside) => {
        await work(telling(inside, die))
        await die()
        throw new Undone()
      })
      await expect(undone).rejects.toBeInstanceOf(Undone)
      return points
    },
  }
  await crashDigests(mortal, 'SQLite')
  connection.close()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)
