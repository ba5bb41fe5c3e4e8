// Tests that a store opens over a Unix socket, in each way in which people write its folder.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres } from '../../../tools/servers/postgres.ts'
import { readDatabaseUrl } from '../../lib/settings/database-url.ts'
import { openConnection } from './connection.ts'
import { isStoreFault } from './faults.ts'
import { plainSql, prepareStore } from './prepare.ts'

const folder = mkdtempSync(join(tmpdir(), 'nc-socket-'))
let server: Awaited<ReturnType<typeof startPostgres>>
let login: string
let port: string
beforeAll(async () => {
  // PostgreSQL runs under another account where the test is root.
  chmodSync(folder, 0o777)
  server = await startPostgres({ isDurable: false, settings: [`unix_socket_directories=${folder}`] })
  const address = new URL(server.url)
  login = `${address.username}:${address.password}@`
  port = address.port
})
afterAll(async () => {
  await server?.stop()
  await server?.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('the connection is that of the socket, and the tables are made over it', async () => {
  const encoded = encodeURIComponent(folder)
  for (const written of [
    `postgres://${login}localhost:${port}/postgres?host=${folder}`,
    `postgres://${login}:${port}/postgres?host=${folder}`,
    `postgres://${login}/postgres?host=${encoded}&port=${port}`,
    `postgresql://${login}${encoded}:${port}/postgres?sslmode=prefer`,
  ]) {
    const { url, ignored } = readDatabaseUrl(written)
    expect(ignored).toEqual([])
    const connection = await openConnection({ url, deadlineMs: 10_000 })
    const row = await plainSql(connection).one('SELECT inet_client_addr() IS NULL AS "isSocket"')
    connection.destroy('done')
    expect(row).toEqual({ isSocket: true })
    expect((await prepareStore({ url, clock: { now: () => 1 } })).storeEpoch).not.toBe('')
  }
})

test('a folder without a socket is an error with its path, and no password', async () => {
  const { url } = readDatabaseUrl(`postgres://${login}/postgres?host=${folder}/none`)
  const error = await openConnection({ url, deadlineMs: 10_000 }).catch((thrown: unknown) => thrown)
  // A server that is starting has no socket yet.
  expect(isStoreFault(error)).toBe(true)
  expect(String(error)).toContain(`${folder}/none/.s.PGSQL.5432`)
  expect(String(error)).not.toContain(login.split(':')[1])
})
