// Tests slow clients: 300 slow headers and 100 slow bodies are closed within 9 s, and other clients are served.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { headOf, openRaw, type RawConnection } from '../support/raw-http.ts'

const HEADERS = 300
const BODIES = 100
const CLOSED_WITHIN_MS = 9000

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' })
})
afterAll(() => given.stop())

/** Sends a piece every half second until the connection is closed, as an attacker would. */
function sendSlowly(connection: RawConnection, piece: string): RawConnection {
  const timer = setInterval(() => connection.socket.write(piece), 500)
  connection.closed.then(() => clearInterval(timer))
  return connection
}

function openSlowHeaders(n: number): RawConnection {
  return sendSlowly(openRaw(given.url, headOf('GET', '/healthz', { 'X-Slow': String(n) })), 'X-A: b\r\n')
}

function openSlowBody(n: number): RawConnection {
  const { sdkSecretKey } = given.demo.environments.dev
  const head = headOf('POST', n % 2 === 0 ? '/v1/events/track' : '/v1/events/track/batch', {
    Authorization: `Bearer ${sdkSecretKey}`,
    'Content-Type': 'application/json',
    'Content-Length': '100000',
  })
  return sendSlowly(openRaw(given.url, `${head}\r\n{`), ' '.repeat(100))
}

const p99 = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN

test('clients that send slowly are disconnected, and every normal request is answered', async () => {
  await given.publish(inboxCampaign('slow', 'slow.normal'))
  const session = await given.signIn('u_normal')
  const slow = [
    ...Array.from({ length: HEADERS }, (_, n) => openSlowHeaders(n)),
    ...Array.from({ length: BODIES }, (_, n) => openSlowBody(n)),
  ]
  let isOver = false
  const closing = Promise.all(slow.map(({ closed }) => closed)).finally(() => {
    isOver = true
  })
  const statuses: number[] = []
  const tookMs: number[] = []
  const normal = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const startedAt = performance.now()
      statuses.push((await given.track({ name: 'slow.normal', userId: 'u_normal' })).status)
      statuses.push((await given.call('GET', '/v1/inbox/messages', { session })).status)
      tookMs.push((performance.now() - startedAt) / 2)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  const closedAfterMs = await closing
  await Promise.all(normal)

  const headers = Math.max(...closedAfterMs.slice(0, HEADERS))
  const bodies = Math.max(...closedAfterMs.slice(HEADERS))
  process.stdout.write(
    `slow clients: ${HEADERS} headers closed within ${Math.round(headers)} ms, ${BODIES} bodies within ${Math.round(bodies)} ms; ` +
      `${statuses.length} normal requests, p99 ${p99(tookMs).toFixed(1)} ms\n`,
  )
  expect(headers).toBeLessThan(CLOSED_WITHIN_MS)
  expect(bodies).toBeLessThan(CLOSED_WITHIN_MS)
  for (const { statuses: answered } of slow) expect(answered()).toEqual([408])
  expect(new Set(statuses)).toEqual(new Set([200, 202]))
  // Each of the four sent several requests meanwhile, also on a slow machine.
  expect(statuses.length).toBeGreaterThan(20)
})

test('a body at the slowest allowed pace is accepted', async () => {
  const { sdkSecretKey } = given.demo.environments.dev
  const pad = Array.from({ length: 2 }, () => 'x'.repeat(60_000))
  const body = JSON.stringify({ sdkSecretKey, name: 'slow.legal', userId: 'u', properties: { pad } })
  const head = headOf('POST', '/v1/events/track', {
    Authorization: `Bearer ${sdkSecretKey}`,
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
  })
  // Sends 18 KB a second, 6.7 s in all; by elapsed time, because timers are late on a busy machine.
  const connection = openRaw(given.url, `${head}\r\n`)
  const startedAt = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.floor((performance.now() - startedAt) * 18)
    connection.socket.write(body.slice(sent, due))
    sent = due
    if (sent >= body.length) clearInterval(timer)
  }, 50)
  await expect.poll(connection.statuses).toEqual([202])
  connection.socket.destroy()
})
