// Tests the session parameters and refusals of a connection against a real server with other settings
// (docs/config.md, DATABASE_URL).

import { expect, test } from 'vitest'
import { freshDatabase, runSql } from '../../test/support/servers.ts'
import { openConnection } from './connection.ts'
import { isStoreFault } from './faults.ts'
import { checkSession, explainOpening } from './session.ts'

const open = (url: string) => openConnection({ url, deadlineMs: 10_000 })
const nameOf = (url: string) => new URL(url).pathname.slice(1)

/** Creates a database with these options for the work, and drops it afterwards. */
async function inDatabase<T>(name: string, options: string, work: (url: string) => Promise<T>): Promise<T> {
  const url = await freshDatabase()
  const quoted = `"${nameOf(url)} ${name}"`
  await runSql(url, `CREATE DATABASE ${quoted} ${options}`)
  try {
    const address = new URL(url)
    address.pathname = `/${encodeURIComponent(`${nameOf(url)} ${name}`)}`
    return await work(address.href)
  } finally {
    await runSql(url, `DROP DATABASE ${quoted} WITH (FORCE)`)
  }
}

test('a process that was blocked for longer than the deadline still gets its connection', async () => {
  const opening = openConnection({ url: await freshDatabase(), deadlineMs: 1000 })
  // The socket has begun to connect.
  await new Promise(setImmediate)
  const until = performance.now() + 1200
  while (performance.now() < until);
  const connection = await opening
  expect(connection.isLost()).toBe(false)
  connection.destroy('done')
})

test('time limits and asynchronous commits of the database do not apply to the session', async () => {
  const url = await freshDatabase()
  for (const setting of ['idle_session_timeout = 300', 'statement_timeout = 300', 'synchronous_commit = off'])
    await runSql(url, `ALTER DATABASE "${nameOf(url)}" SET ${setting}`)
  const connection = await open(url)
  const [row] =
    await connection.query(`SELECT current_setting('idle_session_timeout') AS idle, current_setting('statement_timeout') AS statement,
    current_setting('synchronous_commit') AS commit`)
  expect(row).toEqual({ idle: '0', statement: '0', commit: 'on' })
  connection.destroy('done')
  await runSql(url, `ALTER DATABASE "${nameOf(url)}" SET synchronous_commit = remote_apply`)
  const strict = await open(url)
  expect(await strict.query(`SELECT current_setting('synchronous_commit') AS commit`)).toEqual([
    { commit: 'remote_apply' },
  ])
  strict.destroy('done')
})

test('the name of a database may have any characters, percent-encoded', async () => {
  await inDatabase('ü /?#%41 x', '', async (url) => {
    const connection = await open(url)
    const [row] = await connection.query<{ name: string }>('SELECT current_database() AS name')
    expect(row?.name).toMatch(/ ü \/\?#%41 x$/)
    connection.destroy('done')
  })
})

test('a database whose encoding cannot store every text is refused with an explanation', async () => {
  await inDatabase('latin', `ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C' LOCALE_PROVIDER libc`, async (url) => {
    await expect(open(url)).rejects.toThrow(/encoding of the database is LATIN1/)
  })
  await inDatabase('bytes', `ENCODING 'SQL_ASCII' TEMPLATE template0 LOCALE 'C' LOCALE_PROVIDER libc`, async (url) => {
    const connection = await open(url)
    expect(await connection.query('SELECT $1::text AS text', ['ü😀'])).toEqual([{ text: 'ü😀' }])
    connection.destroy('done')
  })
})

test('a pooler that ignores or refuses session settings is refused with an explanation', () => {
  expect(() => checkSession({ encoding: 'UTF8', lock_wait_ms: 0 })).toThrow(/connection pooler/)
  expect(explainOpening(new Error('unsupported startup parameter: jit'))).toMatchObject({
    message: expect.stringContaining('connection pooler'),
  })
  const other = new Error('password authentication failed')
  expect(explainOpening(other)).toBe(other)
})

test('a cancelled statement counts as a fault of the store', async () => {
  const url = await freshDatabase()
  const connection = await open(url)
  const [row] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const cancelled = connection.query('SELECT pg_sleep(60)').catch((error: unknown) => error)
  await expect.poll(() => runSql(url, `SELECT state FROM pg_stat_activity WHERE pid = ${row?.pid}`)).toBe('active')
  await runSql(url, `SELECT pg_cancel_backend(${row?.pid})`)
  expect(isStoreFault(await cancelled)).toBe(true)
  connection.destroy('done')
})
