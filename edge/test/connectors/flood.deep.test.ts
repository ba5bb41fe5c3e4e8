// Tests that a flood at one source, and bodies that arrive slowly, leave the deliveries of others alone.

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedSourceAnswer } from '../../../contract/resources/source.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenSources, givenSources } from '../support/given-sources.ts'
import { headOf, openRaw, type RawConnection } from '../support/raw-http.ts'
import { callRepeatedly, waitForAnswers } from '../support/repeated-calls.ts'
import { runningNow } from '../support/within.ts'
import { SCHEMES } from './schemes.ts'

/** Platforms wait for five seconds; the contract has two. */
const ANSWERED_WITHIN_MS = 2000
const FLOODING = 60
const OTHERS = 50

let given: GivenEdge
let sources: GivenSources
let count = 0
beforeAll(async () => {
  given = await givenEdge()
  sources = givenSources(given)
})
afterAll(() => given.stop())

function deliverNext(source: CreatedSourceAnswer, secret = source.verificationSecret) {
  count++
  const payload = { id: `evt_${count}`, type: 'payout.paid', data: { object: { customer: `u_${count % 100}` } } }
  return sources.deliver(source, payload, { secret })
}

/** Delivers one by one, and records how long the longest answer took (ms). */
function deliverSteadily(source: CreatedSourceAnswer) {
  let longestMs = 0
  const calls = callRepeatedly(async () => {
    const from = runningNow()
    const { status } = await deliverNext(source)
    longestMs = Math.max(longestMs, runningNow() - from)
    await pause(10)
    return status
  })
  return { ...calls, longestMs: () => longestMs }
}

test('while one source is flooded, each delivery of another is taken within two seconds', async ({ annotate }) => {
  const [flooded, other] = [await sources.create('stripe'), await sources.create('stripe')]
  const begunAt = performance.now()
  const flood = Array.from({ length: FLOODING }, (_, at) =>
    // Each tenth has a wrong secret: refusals must be as harmless.
    callRepeatedly(async () => (await deliverNext(flooded, at % 10 === 9 ? 'wrong' : undefined)).status),
  )
  await Promise.all(flood.map((caller) => waitForAnswers(caller, 3)))
  const steady = deliverSteadily(other)
  await waitForAnswers(steady, OTHERS)
  await Promise.all([steady.stop(), ...flood.map((caller) => caller.stop())])
  const perSecond = flood.reduce((sum, { answers }) => sum + answers.length, 0) / ((performance.now() - begunAt) / 1000)

  expect(new Set(steady.answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(steady.longestMs()).toBeLessThan(ANSWERED_WITHIN_MS)
  const statuses = flood.map(({ answers }) => [...new Set(answers.map(({ status }) => status))])
  expect(statuses).toEqual(flood.map((_, at) => [at % 10 === 9 ? 401 : 200]))
  const answered = (status: number) =>
    flood.flatMap(({ answers }) => answers).filter((answer) => answer.status === status).length
  const counts = { accepted: answered(200), refused: answered(401), duplicates: 0 }
  await expect.poll(() => sources.read(flooded.id)).toMatchObject({ counts })
  await expect.poll(() => sources.read(other.id)).toMatchObject({ counts: { accepted: steady.answers.length } })
  await annotate(
    `${Math.round(perSecond)} deliveries/s at one source; ${steady.answers.length} at the other, each within ${Math.round(steady.longestMs())} ms`,
  )
})

/** Begins a right delivery of 100 KB, and sends a few bytes of it each half second. */
function openSlowDelivery(source: CreatedSourceAnswer, scheme: (typeof SCHEMES)[number]): RawConnection {
  const { id, url, verificationSecret: secret } = source
  const body = Buffer.from(JSON.stringify(scheme.item('slow')).padEnd(100_000))
  const head = headOf('POST', `/v1/connectors/${scheme.provider}/${id}`, {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    ...scheme.sign({ secret, body, url, at: Date.now() }),
  })
  const connection = openRaw(given.url, `${head}\r\n`)
  let sent = 0
  const timer = setInterval(() => {
    connection.socket.write(body.subarray(sent, sent + 100))
    sent += 100
  }, 500)
  connection.closed.then(() => clearInterval(timer))
  return connection
}

test('a body that dribbles ends with 408 and becomes no event, and others are answered meanwhile', async () => {
  const slow = await Promise.all(
    SCHEMES.map(async (scheme) => {
      const source = await sources.create(scheme.provider)
      return { source, connections: Array.from({ length: 5 }, () => openSlowDelivery(source, scheme)) }
    }),
  )
  const other = await sources.create('stripe')
  const steady = deliverSteadily(other)
  const all = slow.flatMap(({ connections }) => connections)
  await Promise.all(all.map(({ closed }) => closed))
  await steady.stop()
  expect(all.map((connection) => connection.statuses())).toEqual(all.map(() => [408]))
  for (const { source } of slow) {
    expect(await sources.read(source.id)).toMatchObject({ counts: { accepted: 0, refused: 0 }, lastReceivedAt: null })
  }
  expect(new Set(steady.answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(steady.longestMs()).toBeLessThan(ANSWERED_WITHIN_MS)
})
