// Tests that SQLite plans a statement when it is prepared, and not again at each run.

import { expect, test } from 'vitest'
import { DRIVERS } from '../test/drivers.ts'
import { loadDriver } from './driver.ts'
import { createSqliteSql } from './sql.ts'

/** Reads like an inbox page: limits inside of limits. */
const PAGE = `SELECT * FROM (
  SELECT * FROM (SELECT id, seq FROM kept WHERE section = 0 AND owner = ? ORDER BY seq DESC LIMIT ?)
  UNION ALL SELECT * FROM (SELECT id, seq FROM kept WHERE section = 1 AND owner = ? ORDER BY seq DESC LIMIT ?)
  UNION ALL SELECT * FROM (SELECT id, seq FROM kept WHERE section = 2 AND owner = ? ORDER BY seq DESC LIMIT ?)
) ORDER BY seq DESC LIMIT ?`

test('a bound limit is respected, and no statement is planned again', async () => {
  // libsql does not plan by the values of parameters.
  const connection = (await loadDriver(DRIVERS[0])).open(':memory:', 0)
  connection.exec('CREATE TABLE kept (id INTEGER PRIMARY KEY, owner INTEGER, section INTEGER, seq INTEGER)')
  connection.exec('CREATE INDEX kept_of_owner ON kept (owner, section, seq)')
  connection.exec('INSERT INTO kept VALUES (1, 7, 0, 1), (2, 7, 1, 2), (3, 7, 0, 3), (4, 7, 2, 4)')
  const prepared: string[] = []
  const sql = createSqliteSql({
    ...connection,
    prepare(text) {
      prepared.push(text)
      return connection.prepare(text)
    },
  })
  const read = (owner: number, all: number) => sql.all<{ id: number }>(PAGE, [owner, 2, owner, 2, owner, 2, all])
  expect((await read(7, 3)).map(({ id }) => id)).toEqual([4, 3, 2])
  expect((await read(7, 1)).map(({ id }) => id)).toEqual([4])
  // SQLite plans again for the value of a parameter that is alone in LIMIT, and for no other.
  expect(prepared).toHaveLength(1)
  expect(prepared[0]).toMatch(/LIMIT \?/)
  expect(prepared[0]).not.toMatch(/LIMIT \?(?! \+)/)
  connection.close()
})
