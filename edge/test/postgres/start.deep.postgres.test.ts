// Tests starts with a PostgreSQL that cannot be reached yet, or refuses. PostgreSQL alone: SQLite needs no server.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import { startEdge } from '../../serve.ts'
import { openConnection } from '../../stores/postgres/connection.ts'
import { reportCounts } from '../support/report-counts.ts'
import { startPostgres } from '../support/servers.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'edge-test-'))
let server: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  await server.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

/** One key for all starts, because they share a store. */
const MASTER_KEY = randomBytes(32).toString('base64')

function settings(url: string, port: number) {
  return { PORT: String(port), DATA_DIR: dataDir, SEED_DEMO: 'plain', DATABASE_URL: url, MASTER_KEY }
}

async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.status ?? 0
}

test('a start without PostgreSQL is alive and not ready, and serves when PostgreSQL is available', {
  timeout: 120_000,
}, async () => {
  await server.stop()
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const lines: string[] = []
  const starting = startEdge(settings(server.url, port), { writeLog: (line) => lines.push(line) })
  await expect.poll(() => statusOf(`${baseUrl}/healthz`)).toBe(200)
  expect(await statusOf(`${baseUrl}/readyz`)).toBe(503)
  const refused = await fetch(`${baseUrl}/v1/events/track`, { method: 'POST', body: '{}' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ code: 'service/unavailable', correlationId: expect.any(String) })

  await server.restart()
  const availableAt = performance.now()
  await expect.poll(() => statusOf(`${baseUrl}/readyz`), { interval: 20, timeout: 60_000 }).toBe(200)
  // Includes creating the tables and seeding the demo.
  reportCounts('PostgreSQL came after the start', { readyMs: Math.round(performance.now() - availableAt) })
  const edge = await starting
  expect([edge.url, edge.engine]).toEqual([baseUrl, 'PostgreSQL'])
  await edge.close()
  const { password } = new URL(server.url)
  expect(lines.join('')).toContain('"engine":"PostgreSQL"')
  expect(lines.join('')).not.toContain(password)
})

test('a start that waits for another process to create the tables is alive meanwhile', async () => {
  const migrating = await openConnection({ url: server.url, deadlineMs: 10_000 })
  await migrating.query('SELECT pg_advisory_lock($1)', [7_361_528_043])
  const port = await findFreePort()
  const starting = startEdge(settings(server.url, port), { writeLog: () => {} })
  await expect.poll(() => statusOf(`http://127.0.0.1:${port}/healthz`)).toBe(200)
  expect(await statusOf(`http://127.0.0.1:${port}/readyz`)).toBe(503)
  migrating.destroy('done')
  const edge = await starting
  // That client's connections are closed.
  await expect.poll(() => statusOf(`${edge.url}/readyz`)).toBe(200)
  await edge.close()
})

test('a start that waits long logs the reason', async () => {
  const migrating = await openConnection({ url: server.url, deadlineMs: 10_000 })
  await migrating.query('SELECT pg_advisory_lock($1)', [7_361_528_043])
  const lines: string[] = []
  const starting = startEdge(settings(server.url, await findFreePort()), { writeLog: (line) => lines.push(line) })
  await expect.poll(() => lines.join('')).toContain('The tables are not ready.')
  await server.kill()
  await expect.poll(() => lines.join('')).toMatch(/PostgreSQL connection failed: retrying/)
  await server.restart()
  await (await starting).close()
  expect(lines.filter((line) => line.includes('PostgreSQL connection failed'))).toHaveLength(1)
})

test('a waiting start ends when it is aborted', async () => {
  await server.stop()
  const port = await findFreePort()
  const waiting = new AbortController()
  const starting = startEdge(settings(server.url, port), { signal: waiting.signal, writeLog: () => {} })
  const ended = expect(starting).rejects.toThrow(/abort/i)
  await expect.poll(() => statusOf(`http://127.0.0.1:${port}/healthz`)).toBe(200)
  waiting.abort()
  await ended
  expect(await statusOf(`http://127.0.0.1:${port}/healthz`)).toBe(0)
  await server.restart()
})

test.each([
  ['password', (url: URL) => Object.assign(url, { password: 'wrong-secret' }), /password authentication failed/],
  ['database', (url: URL) => Object.assign(url, { pathname: '/nothing' }), /database "nothing" does not exist/],
])('a wrong %s fails the start with a reason, without secrets', async (_, change, message) => {
  const url = change(new URL(server.url)).href
  const lines: string[] = []
  const starting = startEdge(settings(url, await findFreePort()), { writeLog: (line) => lines.push(line) })
  const error = await starting.catch((thrown: unknown) => thrown)
  expect(String(error)).toMatch(message)
  expect(`${String(error)}${lines.join('')}`).not.toMatch(new RegExp(`wrong-secret|${new URL(server.url).password}`))
})
