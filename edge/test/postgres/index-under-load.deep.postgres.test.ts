// Tests that a new node makes an index of two million rows while another node serves. PostgreSQL alone: on SQLite one
// process has the store.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareStore } from '../../stores/postgres/prepare.ts'
import { addUnindexedEvents, isIndexed, MISSING_STEP } from '../../stores/test/unindexed-events.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { reportCounts } from '../support/report-counts.ts'
import { runningNow } from '../support/within.ts'

const ROWS = Number(process.env.NC_ROWS ?? 2_000_000)
const LIMIT_MS = 500

let given: GivenEdge
let url: string
beforeAll(async () => {
  given = await givenEdge()
  await given.publish(inboxCampaign('welcome', 'user.joined'))
  url = given.settings.DATABASE_URL ?? ''
  await addUnindexedEvents(url, ROWS)
})
afterAll(() => given?.stop())

test(`no answer takes half a second while an index of ${ROWS} rows is made`, async () => {
  const { steps, seconds } = await givenNc(given.settings).json<{ steps: object[]; seconds: number }>('migrate --plan')
  const [rows, lock] = [expect.any(Number), 'none: CONCURRENTLY, writes go on']
  expect(steps).toEqual([{ ...MISSING_STEP, rows, lock, seconds }])
  const session = await given.signIn('ada')
  const tookMs: number[] = []
  let isOver = false
  const repeat = async (call: () => Promise<unknown>) => {
    while (!isOver) {
      const from = runningNow()
      await call()
      tookMs.push(runningNow() - from)
    }
  }
  const load = Promise.all([
    repeat(async () => expect((await given.track({ name: 'user.joined', userId: 'ada' })).status).toBe(202)),
    repeat(() => given.page(session)),
  ])
  await expect.poll(() => tookMs.length).toBeGreaterThan(20)
  const from = performance.now()
  await prepareStore({ url, clock: { now: () => 1 } })
  const indexMs = Math.round(performance.now() - from)
  isOver = true
  await load
  const slowestMs = Math.round(Math.max(...tookMs))
  reportCounts('an index under load', { rows: ROWS, indexMs, answers: tookMs.length, slowestMs })
  expect(await isIndexed(url)).toBe(true)
  expect(slowestMs).toBeLessThan(LIMIT_MS)
})
