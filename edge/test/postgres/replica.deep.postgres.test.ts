// Tests DATABASE_READ_URL with a real replica: which answers come from it, how old they may be, and what happens when it fails.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Server } from '../../../tools/servers/server-process.ts'
import { startEdge } from '../../serve.ts'
import { MAX_AGE_MS } from '../../stores/postgres/replica.ts'
import { type Answer, type GivenEdge, givenEdge, inboxCampaign, ON_BUSY_MACHINES } from '../support/given.ts'
import { freshDatabase, runSql, startPostgres, startReplica } from '../support/servers.ts'

let primary: Server
let replica: Server
let given: GivenEdge
let key: string
let campaignId: string
/** Of the log. */
let lines: string[]
beforeEach(async () => {
  primary = await startPostgres()
  replica = await startReplica(primary)
  lines = []
  given = await givenEdge(
    {
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: replica.url,
      MASTER_KEY: randomBytes(32).toString('base64'),
    },
    { writeLog: (line) => void lines.push(line) },
  )
  key = given.demo.environments.dev.sdkSecretKey
  campaignId = await given.publish(inboxCampaign('tell', 'order.shipped'))
})
afterEach(async () => {
  replica.resume()
  await given.stop()
  await replica.remove()
  await primary.remove()
})

/** Lists and sums, each with whether it has what one event of a user made. */
const REPORTS: [path: (userId: string) => string, isThere: (body: never, userId: string) => boolean][] = [
  [
    () => '/v1/deliveries',
    (body: { data: { userId: string }[] }, user) => body.data.some((one) => one.userId === user),
  ],
  [() => '/v1/events', (body: { data: { userId: string }[] }, user) => body.data.some((one) => one.userId === user)],
  [(user) => `/v1/users?q=${user}`, (body: { data: object[] }) => body.data.length > 0],
  [
    () => `/v1/campaigns/${campaignId}/stats`,
    (body: { steps: { count: number }[] }) => (body.steps[0]?.count ?? 0) > 1,
  ],
  [() => '/v1/stats', (body: { steps: { count: number }[] }) => (body.steps[0]?.count ?? 0) > 1],
  [() => '/v1/deliveries/export.csv', (text: string, user) => text.includes(user)],
]

const ask = (path: string): Promise<Answer<never>> => given.call('GET', path, { key })
const ageOf = ({ headers }: Answer<never>) => Number(headers.get('x-data-age') ?? Number.NaN)

/** @returns for each report whether it has the user's message */
async function see(userId: string): Promise<boolean[]> {
  const seen: boolean[] = []
  for (const [path, isThere] of REPORTS) {
    const answer = await ask(path(userId))
    expect(answer.status).toBe(200)
    seen.push(isThere(answer.body, userId))
  }
  return seen
}

const ALL = REPORTS.map(() => true)
const NONE = REPORTS.map(() => false)

test('reports come from the replica, and say how old they may be; all else is up to date', async () => {
  await given.track({ name: 'order.shipped', userId: 'first' })
  await expect.poll(async () => ageOf(await ask('/v1/events'))).toBeGreaterThan(0)
  await expect.poll(async () => (await see('first')).slice(0, 3)).toEqual([true, true, true])

  await runSql(replica.url, 'SELECT pg_wal_replay_pause()')
  await expect.poll(() => runSql(replica.url, 'SELECT pg_get_wal_replay_pause_state()')).toBe('paused')
  const { body: tracked } = await given.track({ name: 'order.shipped', userId: 'second' })
  expect(await see('second')).toEqual(NONE)
  expect(ageOf(await ask('/v1/events'))).toBeLessThanOrEqual(MAX_AGE_MS / 1000)

  // What somebody has just made, they find; and inboxes never wait.
  expect((await ask(`/v1/events/${tracked.eventId}`)).status).toBe(200)
  expect((await given.page(await given.signIn('second'))).data).toHaveLength(1)

  // Too old, the replica is no longer asked.
  await expect.poll(() => see('second')).toEqual(ALL)
  expect(ageOf(await ask('/v1/events'))).toBe(0)

  await runSql(replica.url, 'SELECT pg_wal_replay_resume()')
  await expect.poll(async () => ageOf(await ask('/v1/events'))).toBeGreaterThan(0)
  expect(await see('second')).toEqual(ALL)
})

test.each([
  ['killed', () => replica.kill(), () => replica.restart()],
  ['silent', async () => replica.pause(), async () => replica.resume()],
] as [string, () => Promise<void>, () => Promise<void>][])(
  'a %s replica fails no call, and is read again once it is back',
  async (_outage, begin, end) => {
    await given.track({ name: 'order.shipped', userId: 'first' })
    await given.track({ name: 'order.shipped', userId: 'first' })
    await expect.poll(async () => ageOf(await ask('/v1/events'))).toBeGreaterThan(0)
    await begin()
    expect(await see('first')).toEqual(ALL)
    await expect.poll(async () => ageOf(await ask('/v1/events'))).toBe(0)
    expect((await given.call('GET', '/readyz')).status).toBe(200)
    await end()
    await expect.poll(async () => ageOf(await ask('/v1/events'))).toBeGreaterThan(0)
  },
)

test('a list that begins at another node without the replica goes on without a gap', async () => {
  await expect.poll(async () => ageOf(await ask('/v1/events'))).toBeGreaterThan(0)
  await runSql(replica.url, 'SELECT pg_wal_replay_pause()')
  await expect.poll(() => runSql(replica.url, 'SELECT pg_get_wal_replay_pause_state()')).toBe('paused')
  for (let number = 0; number < 8; number += 1) await given.track({ name: 'order.shipped', userId: `user-${number}` })
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'edge-test-'))
  const settings = { ...given.settings, DATA_DIR, DATABASE_READ_URL: '', SEED_DEMO: 'false', PORT: '0' }
  const plain = await startEdge(settings, { writeLog() {}, ...ON_BUSY_MACHINES })
  for (const path of ['/v1/events', '/v1/deliveries', '/v1/users']) {
    const read = async (url: string, cursor = '') => {
      const answer = await fetch(`${url}${path}?limit=3${cursor}`, { headers: { authorization: `Bearer ${key}` } })
      return (await answer.json()) as { data: object[]; nextCursor: string }
    }
    const { nextCursor } = await read(plain.url)
    const expected = await read(plain.url, `&cursor=${nextCursor}`)
    expect(expected.data).toHaveLength(3)
    expect(await read(given.url, `&cursor=${nextCursor}`)).toEqual(expected)
  }
  await plain.close()
  await rm(DATA_DIR, { recursive: true })
})

test('a replica that was promoted is no longer read, and the log says so', async () => {
  await expect.poll(async () => ageOf(await ask('/v1/events'))).toBeGreaterThan(0)
  await runSql(replica.url, 'SELECT pg_promote()')
  await given.track({ name: 'order.shipped', userId: 'late' })
  await expect.poll(async () => ageOf(await ask('/v1/events'))).toBe(0)
  expect((await see('late')).slice(0, 3)).toEqual([true, true, true])
  await expect.poll(() => lines.join('')).toContain('more than 10 s behind, or promoted')
})

test.each([
  ['the database itself', 'names no replica', async (url: string) => url],
  ['a replica of another database', 'names a replica of another database', async () => replica.url],
])('%s is not read as a replica, and the log says why', async (_address, reason, addressOf) => {
  const logged: string[] = []
  const url = await freshDatabase()
  const other = await givenEdge(
    {
      DATABASE_URL: url,
      DATABASE_READ_URL: await addressOf(url),
      MASTER_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'warn',
    },
    { writeLog: (line) => void logged.push(line) },
  )
  await expect.poll(() => logged.join('')).toContain(`DATABASE_READ_URL ${reason}`)
  const answer = await other.call('GET', '/v1/events', { key: other.demo.environments.dev.sdkSecretKey })
  expect(answer.headers.get('x-data-age')).toBe('0')
  await other.stop()
})
