// Tests transactions whose statements are sent without waiting, and the text conversions of the Sql port. A
// transaction is complete, or writes nothing and throws its first error.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/servers.ts'
import { insertRows, type Sql, withRows } from '../sql/sql.ts'
import { type Connection, openConnection } from './connection.ts'
import { ConnectionLost, codeOf } from './faults.ts'
import { plainSql } from './prepare.ts'
import { runTransaction } from './transaction.ts'

const PUT = insertRows('kept', { id: 'int', word: 'text' })

let url: string
let connection: Connection
let sql: Sql
beforeAll(async () => {
  url = await freshDatabase()
  connection = await openConnection({ url, deadlineMs: 10_000 })
  sql = plainSql(connection)
  await sql.run('CREATE TABLE kept (id BIGINT PRIMARY KEY, word TEXT)')
})
afterAll(() => connection.destroy('done'))

const ids = async () => (await sql.all<{ id: number }>('SELECT id FROM kept ORDER BY id')).map((row) => row.id)

test('the first failed statement is reported, and nothing is written', async () => {
  const work = async (inside: Sql) => {
    await inside.bulk(PUT, [[1, 'a']])
    await inside.bulk(PUT, [[1, 'again']])
    await inside.bulk(PUT, [[2, 'after the error']])
  }
  await expect(runTransaction(connection, work)).rejects.toSatisfy((error) => codeOf(error) === '23505')
  // Also when the work waits for a later statement.
  const reading = async (inside: Sql) => {
    await work(inside)
    await inside.all('SELECT 1')
  }
  await expect(runTransaction(connection, reading)).rejects.toSatisfy((error) => codeOf(error) === '23505')
  expect(await ids()).toEqual([])
})

test('joined inserts are sent before statements that read them, and keep their order', async () => {
  await sql.run('CREATE TABLE other (id BIGINT PRIMARY KEY, word TEXT)')
  const OTHER = insertRows('other', { id: 'int', word: 'text' }, 'ON CONFLICT (id) DO UPDATE SET word = excluded.word')
  const large = 'x'.repeat(100_000)
  const sent: string[] = []
  const watched: Connection = {
    ...connection,
    query(text, ...rest) {
      sent.push(text)
      return connection.query(text, ...rest)
    },
  }
  const read = await runTransaction(watched, async (inside) => {
    await inside.bulk(PUT, [[11, 'a']])
    await inside.bulk(OTHER, [[1, 'first']])
    await inside.bulk(OTHER, [[1, 'second']])
    await inside.bulk(PUT, [[12, large]])
    return inside.all('SELECT k.id, o.word FROM kept k CROSS JOIN other o WHERE k.id > 10 ORDER BY k.id')
  })
  expect(read).toEqual([
    { id: 11, word: 'second' },
    { id: 12, word: 'second' },
  ])
  // BEGIN, two joined inserts, the second into the same table, the large one, the read, COMMIT.
  expect(sent).toHaveLength(6)
  expect(sent[1]).toMatch(/^WITH w0 AS \(INSERT INTO kept .*\) INSERT INTO other/)
  const failing = async (inside: Sql) => {
    await inside.bulk(OTHER, [[2, 'b']])
    await inside.bulk(PUT, [[11, 'again']])
  }
  await expect(runTransaction(connection, failing)).rejects.toSatisfy((error) => codeOf(error) === '23505')
  expect(await sql.all('SELECT id FROM other')).toEqual([{ id: 1 }])
  await sql.run('DELETE FROM kept')
})

test('a statement after the end of the transaction is refused, and never written outside of it', async () => {
  let late: Promise<unknown> = Promise.resolve()
  let go = () => {}
  const waiting = new Promise<void>((resolve) => {
    go = resolve
  })
  const work = async (inside: Sql) => {
    late = waiting.then(() => inside.bulk(PUT, [[5, 'late']]))
    throw new Error('on purpose')
  }
  await expect(runTransaction(connection, work)).rejects.toThrow('on purpose')
  go()
  await expect(late).rejects.toThrow('has ended')
  expect(await ids()).toEqual([])
})

test('a connection that is cut in a transaction rejects all statements, and none continues on another one', async () => {
  const other = await openConnection({ url, deadlineMs: 10_000 })
  const work = async (inside: Sql) => {
    await inside.bulk(PUT, [[7, 'a']])
    await inside.all('SELECT 1')
    other.destroy('cut')
    await inside.bulk(PUT, [[8, 'b']])
  }
  await expect(runTransaction(other, work)).rejects.toBeInstanceOf(ConnectionLost)
  await expect(other.query('SELECT 1')).rejects.toBeInstanceOf(ConnectionLost)
  expect(await ids()).toEqual([])
})

test('a terminated backend is reported as a lost connection', async () => {
  const lost: string[] = []
  const other = await openConnection({ url, deadlineMs: 10_000, onLost: (error) => lost.push(error.message) })
  const [row] = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const sleeping = expect(other.query('SELECT pg_sleep(60)')).rejects.toThrow()
  await sql.all('SELECT pg_terminate_backend(?)', [row?.pid ?? 0])
  await sleeping
  await expect.poll(() => lost.length).toBe(1)
})

test('rows are read as they were written: quotes, backslashes, commas, nulls, large numbers', async () => {
  const words = ['"', '\\', '{a,b}', 'NULL', '', "it's", 'a\nb', '🜁 ü', null, '\\"', 'x'.repeat(100_000)]
  const rows = words.map((word, index) => [Number.MAX_SAFE_INTEGER - index, word])
  await sql.bulk(PUT, rows)
  const back = await sql.all<{ id: number; word: string | null }>('SELECT id, word FROM kept ORDER BY id DESC')
  expect(back.map(({ id, word }) => [id, word])).toEqual(rows)
  const read = withRows({ word: 'text' }, 'SELECT k.id FROM given CROSS JOIN kept k WHERE k.word = given.word')
  expect(await sql.bulk(read, [['{a,b}'], ['nobody']])).toEqual([{ id: Number.MAX_SAFE_INTEGER - 2 }])
  // The separators of joined texts may also be part of a text, or all of it.
  for (const odd of ['', '\x01', '\x02', 'a\x01b', '\x02\x01', '\x1f']) {
    await sql.run('DELETE FROM kept')
    await sql.bulk(PUT, [[1, odd]])
    expect(await sql.all('SELECT word FROM kept')).toEqual([{ word: odd }])
    await sql.bulk(PUT, [
      [2, null],
      [3, odd],
      [4, 'plain'],
    ])
    const words = await sql.all<{ word: string | null }>('SELECT word FROM kept ORDER BY id')
    expect(words.map(({ word }) => word)).toEqual([odd, null, odd, 'plain'])
  }
  await sql.run("UPDATE kept SET word = 'it''s' WHERE id = 4")
  // PostgreSQL stores no NUL: U+FFFD replaces it, in written values and in searches.
  await sql.run('UPDATE kept SET word = ? WHERE word = ?', ['a\0b', "it's"])
  expect(await sql.one('SELECT word FROM kept WHERE word = ?', ['a\0b'])).toEqual({ word: 'a\ufffdb' })
})
