// The Sql port on SQLite: a statement is planned when it is prepared, and not again whenever it runs.

import { expect, test } from 'vitest'
import { loadDriver } from './sqlite-driver.ts'
import { createSqliteSql } from './sqlite-sql.ts'

/** As an inbox page is read: limits inside of limits. */
const page = (most: number | '?', all: number | '?') => `SELECT * FROM (
  SELECT * FROM (SELECT id, seq FROM kept WHERE shelf = 0 AND owner = ? ORDER BY seq DESC LIMIT ${most})
  UNION ALL SELECT * FROM (SELECT id, seq FROM kept WHERE shelf = 1 AND owner = ? ORDER BY seq DESC LIMIT ${most})
  UNION ALL SELECT * FROM (SELECT id, seq FROM kept WHERE shelf = 2 AND owner = ? ORDER BY seq DESC LIMIT ${most})
) ORDER BY seq DESC LIMIT ${all}`

test('a limit that is bound has its rows, and no statement planned anew', async () => {
  // libsql asks for the value of no parameter.
  const connection = (await loadDriver('better-sqlite3')).open(':memory:', 0)
  connection.exec('CREATE TABLE kept (id INTEGER PRIMARY KEY, owner INTEGER, shelf INTEGER, seq INTEGER)')
  connection.exec('CREATE INDEX kept_of_owner ON kept (owner, shelf, seq)')
  connection.exec('INSERT INTO kept VALUES (1, 7, 0, 1), (2, 7, 1, 2), (3, 7, 0, 3), (4, 7, 2, 4)')
  const sql = createSqliteSql(connection)
  const [bound, literal] = [page('?', '?'), page(2, 3)]
  const read = (owner: number, all: number) => sql.all<{ id: number }>(bound, [owner, 2, owner, 2, owner, 2, all])
  expect((await read(7, 3)).map(({ id }) => id)).toEqual([4, 3, 2])
  expect((await read(7, 1)).map(({ id }) => id)).toEqual([4])
  // The shortest of many: what else the machine does only lengthens some of them.
  const [boundMs, literalMs]: [number[], number[]] = [[], []]
  for (let at = 0; at < 1000; at += 1) {
    const from = performance.now()
    await read(8, 3)
    const between = performance.now()
    await sql.all(literal, [8, 8, 8])
    boundMs.push(between - from)
    literalMs.push(performance.now() - between)
  }
  expect(Math.min(...boundMs)).toBeLessThan(2 * Math.min(...literalMs))
  connection.close()
})
