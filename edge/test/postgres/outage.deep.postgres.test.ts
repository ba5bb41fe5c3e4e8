// Tests a killed, stopped or silent PostgreSQL: callers get 503 in time, no acknowledged event is lost, and it recovers.
// PostgreSQL alone: SQLite has no server.

import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { SILENCE_MS } from '../../stores/postgres/connections.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { reportCounts } from '../support/report-counts.ts'
import { startPostgres } from '../support/servers.ts'
import { runningNow } from '../support/within.ts'

const REFUSED_WITHIN_MS = 1500
const RECOVERED_WITHIN_MS = 2000
const CONFIRMED_FOR_MS = 1000
/** Three seconds cover all time limits involved (silence, retries, leases). `NC_OUTAGE_SECONDS=30` extends the outage. */
const OUTAGE_MS = Number(process.env.NC_OUTAGE_SECONDS ?? 3) * 1000

let server: Awaited<ReturnType<typeof startPostgres>>
let given: GivenEdge
let session: AuthAnswer
beforeEach(async () => {
  server = await startPostgres()
  const settings = { DATABASE_URL: server.url, MASTER_KEY: randomBytes(32).toString('base64'), RATE_LIMITS: 'off' }
  given = await givenEdge(settings, { storeSilenceMs: SILENCE_MS })
  await given.publish(inboxCampaign('tell', 'order.shipped'))
  session = await given.signIn('u1')
})
afterEach(async () => {
  server.resume()
  await given.stop()
  await server.remove()
})

const OUTAGES: [string, () => Promise<void>, () => Promise<void>][] = [
  ['killed', () => server.kill(), () => server.restart()],
  ['stopped', () => server.stop(), () => server.restart()],
  ['silent', async () => server.pause(), async () => server.resume()],
]

test.each(OUTAGES)(
  'PostgreSQL is %s: calls get 503 in time, nothing acknowledged is lost, and the edge recovers',
  async (outage, begin, end) => {
    const load = startLoad()
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(20)
    await begin()
    load.beginOutage()
    const reads: Timed[] = []
    const outageAt = runningNow()
    const until = outageAt + OUTAGE_MS
    while (runningNow() < until) {
      reads.push(await timed(() => given.call('GET', '/v1/inbox/messages', { session })))
      reads.push(await timed(() => given.call('GET', '/readyz')))
    }
    expect((await given.call('GET', '/healthz')).status).toBe(200)
    load.endOutage()
    await end()
    const endedAt = runningNow()
    await expect
      .poll(async () => (await given.call('GET', '/readyz')).status, { interval: 20, timeout: 60_000 })
      .toBe(200)
    await expect.poll(async () => (await trackOne(1_000_000)).status, { interval: 20, timeout: 60_000 }).toBe(202)
    const recoveryMs = runningNow() - endedAt
    await load.stop()

    const refused = [...load.refused, ...reads.filter(({ status }) => status !== 200)]
    expect(refused.length).toBeGreaterThan(5)
    for (const { status, retryAfter } of refused)
      expect([status, retryAfter]).toEqual([503, expect.stringMatching(/^\d+$/)])
    // Cached keys and sessions are valid for less than a second; then the node refuses every caller.
    const late = reads.filter(({ startedAt }) => startedAt - outageAt > CONFIRMED_FOR_MS)
    expect(late.length).toBeGreaterThan(2)
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([503]))
    const slowestMs = Math.max(...load.refused.map(({ tookMs }) => tookMs), ...reads.map(({ tookMs }) => tookMs))
    expect(slowestMs).toBeLessThan(REFUSED_WITHIN_MS)
    expect(recoveryMs).toBeLessThan(RECOVERED_WITHIN_MS)
    await expectAll(load.acknowledged)
    const counts = { acknowledged: load.acknowledged.length, lost: 0, refused: refused.length }
    const times = { slowestMs: Math.round(slowestMs), recoveryMs: Math.round(recoveryMs) }
    reportCounts(`PostgreSQL ${outage} for ${OUTAGE_MS / 1000} s`, { ...counts, ...times })
  },
  60_000 + OUTAGE_MS,
)

interface Timed {
  /** Start of the call (ms that this process ran). */
  startedAt: number
  status: number
  retryAfter: string | null
  tookMs: number
}

async function timed(call: () => Promise<{ status: number; headers: Headers }>): Promise<Timed> {
  const startedAt = runningNow()
  const { status, headers } = await call()
  return { startedAt, status, retryAfter: headers.get('retry-after'), tookMs: runningNow() - startedAt }
}

const trackOne = (number: number) =>
  given.track({ name: 'order.shipped', userId: 'u1', properties: { name: `n${number}` } })

/** Starts four senders that each send one event at a time. */
function startLoad() {
  const acknowledged: number[] = []
  const refused: Timed[] = []
  let [isOver, isOutage, next] = [false, false, 0]
  async function send(): Promise<void> {
    while (!isOver) {
      const number = ++next
      const answer = await timed(async () => {
        const tracked = await trackOne(number)
        if (tracked.status === 202) acknowledged.push(number)
        return tracked
      })
      if (isOutage && answer.status !== 202) refused.push(answer)
    }
  }
  const senders = Array.from({ length: 4 }, send)
  return {
    acknowledged,
    refused,
    beginOutage: () => {
      isOutage = true
    },
    endOutage: () => {
      isOutage = false
    },
    stop: async () => {
      isOver = true
      await Promise.all(senders)
    },
  }
}

/** Requires one message for each acknowledged event; other messages may exist, but each once. */
async function expectAll(acknowledged: number[]): Promise<void> {
  const titles: string[] = []
  for (let query = '?limit=100'; query !== ''; ) {
    const page = await given.page(session, query)
    titles.push(...page.data.map(({ title }) => title))
    query = page.nextCursor === null ? '' : `?limit=100&cursor=${encodeURIComponent(page.nextCursor)}`
  }
  expect(new Set(titles).size).toBe(titles.length)
  const stored = new Set(titles)
  expect(acknowledged.filter((number) => !stored.has(`Hello n${number}`))).toEqual([])
}
