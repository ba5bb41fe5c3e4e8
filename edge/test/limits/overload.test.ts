// Tests overload on a real edge with low limits: codes, early refusals, an exact ledger, and a queue that drains.

import { afterEach, expect, test } from 'vitest'
import { type Answer, type EnvironmentName, type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { headOf, openRaw } from '../support/raw-http.ts'

let given: GivenEdge
afterEach(() => given.stop())

interface BatchBody {
  results: { eventId?: string; code?: string }[]
  code?: string
  reason?: string
}

/** Sends a batch of events for its own users, which are named after its number. */
function sendBatch(number: number, size: number, name: EnvironmentName = 'dev'): Promise<Answer<BatchBody>> {
  const { sdkSecretKey } = given.demo.environments[name]
  const events = Array.from({ length: size }, (_, n) => ({ name: 'over.loaded', userId: `u_${number}_${n}` }))
  return given.call('POST', '/v1/events/track/batch', { key: sdkSecretKey, body: { sdkSecretKey, events } })
}

/** Lists every stored event of that name by the read API. */
async function listEvents(environment: EnvironmentName): Promise<string[]> {
  const key = given.demo.environments[environment].sdkSecretKey
  const ids: string[] = []
  let cursor = ''
  do {
    const path = `/v1/events?name=over.loaded&limit=100${cursor}`
    const { body } = await given.call<{ data: { eventId: string }[]; nextCursor: string | null }>('GET', path, { key })
    ids.push(...body.data.map(({ eventId }) => eventId))
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`
  } while (cursor !== '')
  return ids
}

const acceptedOf = (answers: Answer<BatchBody>[]) =>
  answers.flatMap(({ body }) => (body.results ?? []).flatMap(({ eventId }) => eventId ?? []))

async function metric(name: string): Promise<number> {
  const { body } = await given.call<string>('GET', '/metrics')
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(String(body))?.[1])
}

test('a flood is answered with 202 or 503, each acknowledged event is stored once, and then all are accepted again', async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' }, { loadLimits: { events: 200 } })
  await given.publish(inboxCampaign('over', 'over.loaded'))
  const answers: Answer<BatchBody>[] = []
  let number = 0
  const callers = Array.from({ length: 40 }, async () => {
    for (let round = 0; round < 5; round++) answers.push(await sendBatch(number++, 20))
  })
  await Promise.all(callers)

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 503]))
  for (const { headers, body } of answers.filter(({ status }) => status === 503)) {
    expect(body).toMatchObject({ code: 'service/unavailable', reason: 'overloaded' })
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('x-correlation-id')).toBeTruthy()
  }
  const accepted = acceptedOf(answers)
  expect(accepted.length).toBe(20 * answers.filter(({ status }) => status === 202).length)
  expect((await listEvents('dev')).sort()).toEqual(accepted.sort())

  await expect.poll(() => metric('nc_commit_backlog_plans')).toBe(0)
  expect((await sendBatch(number, 100)).status).toBe(202)
})

// Each call waits for commits of the flood, which take longer when the machine is busy.
test('one environment is served while another one floods', { timeout: 180_000 }, async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' }, { loadLimits: { events: 200 } })
  let isOver = false
  let refused = 0
  const flood = Array.from({ length: 30 }, async (_, n) => {
    while (!isOver) if ((await sendBatch(n, 50)).status === 503) refused++
  })
  const statuses: number[] = []
  for (let i = 0; i < 25 || refused < 25; i++) {
    statuses.push((await given.track({ name: 'over.loaded', userId: 'u' }, 'prod')).status)
  }
  isOver = true
  await Promise.all(flood)
  expect(new Set(statuses)).toEqual(new Set([202]))
  expect((await listEvents('prod')).length).toBe(statuses.length)
})

test('a refused caller is refused again before its body is read, on the same connection', async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' }, { loadLimits: { events: 10 } })
  const { sdkSecretKey } = given.demo.environments.dev
  expect((await sendBatch(0, 11)).status).toBe(503)
  const head = (length: number) =>
    `${headOf('POST', '/v1/events/track/batch', {
      Authorization: `Bearer ${sdkSecretKey}`,
      'Content-Type': 'application/json',
      'Content-Length': String(length),
    })}\r\n`

  // The answer comes after half a body; the rest is discarded, and the connection serves the next request.
  const small = openRaw(given.url, head(20) + '{'.repeat(10))
  await expect.poll(small.statuses).toEqual([503])
  small.socket.write('}'.repeat(10) + `${headOf('GET', '/healthz')}\r\n`)
  await expect.poll(small.statuses).toEqual([503, 200])
  small.socket.destroy()

  // A large body is not read to its end.
  const large = openRaw(given.url, head(1024 * 1024))
  await large.closed
  expect(large.statuses()).toEqual([503])
  expect(large.text()).toMatch(/\r\nconnection: close\r\n/i)

  // Other callers and other calls are not refused.
  expect((await given.track({ name: 'a', userId: 'u' }, 'prod')).status).toBe(202)
  expect((await given.call('GET', '/v1/events', { key: sdkSecretKey })).status).toBe(200)
})

test('a large body is refused when there is no space for it, while small events are accepted', async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' }, { loadLimits: { bodyBytes: 200 * 1024 } })
  const { sdkSecretKey } = given.demo.environments.dev
  const headers = { Authorization: `Bearer ${sdkSecretKey}`, 'Content-Type': 'application/json' }
  const head = `${headOf('POST', '/v1/events/track', { ...headers, 'Content-Length': '250000' })}\r\n`
  const half = openRaw(given.url, head + 'x'.repeat(150 * 1024))
  const next = openRaw(given.url, head)
  // The first request's bytes are counted after one or two turns of the event loop; then no space is left.
  const timer = setInterval(() => next.socket.write('x'.repeat(20 * 1024)), 20)
  await next.closed
  clearInterval(timer)
  expect(next.statuses()).toEqual([503])
  expect(next.text()).toContain('"reason":"bodies"')
  expect((await given.track({ name: 'a', userId: 'u' })).status).toBe(202)
  half.socket.destroy()
  await half.closed
  const properties = { pad: Array.from({ length: 3 }, () => 'x'.repeat(60_000)) }
  await expect.poll(async () => (await given.track({ name: 'a', userId: 'u', properties })).status).toBe(202)
})

test('a full commit queue refuses further events, and loses none that it acknowledged', async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' }, { queue: { keptPlans: 50, batchPlans: 5 } })
  const answers = await Promise.all(Array.from({ length: 30 }, (_, number) => sendBatch(number, 20)))
  for (const { status } of answers) expect([202, 503]).toContain(status)
  const codes = new Set(answers.flatMap(({ body }) => (body.results ?? []).map(({ code }) => code)))
  expect([...codes].filter((code) => code !== undefined)).toEqual(['service/unavailable'])
  expect((await listEvents('dev')).sort()).toEqual(acceptedOf(answers).sort())
})
