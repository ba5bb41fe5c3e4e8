// Tests that a new node makes an index of two million rows while another node serves. PostgreSQL alone: on SQLite one
// process has the store.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { planMigrations } from '../../stores/portable/migration-plan.ts'
import { openMaintenancePostgres } from '../../stores/portable/postgres-maintenance.ts'
import { prepareStore } from '../../stores/postgres/prepare.ts'
import { addManyEvents, isIndexed, MISSING_STEP, WITH_INDEX } from '../../stores/test/index-of-events.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
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
  await addManyEvents(url, ROWS)
})
afterAll(() => given?.stop())

test(`no answer takes half a second while an index of ${ROWS} rows is made`, async () => {
  const store = await openMaintenancePostgres(url, { exclusive: false })
  const [step] = await planMigrations(store, { missing: [MISSING_STEP.migration], unfinished: [] }, WITH_INDEX)
  await store.close()
  expect(step).toMatchObject({ ...MISSING_STEP, lock: 'none: CONCURRENTLY, writes go on' })
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
  await prepareStore({ url, clock: { now: () => 1 }, migrations: WITH_INDEX })
  const indexMs = Math.round(performance.now() - from)
  isOver = true
  await load
  const slowestMs = Math.round(Math.max(...tookMs))
  reportCounts('an index under load', { rows: ROWS, indexMs, answers: tookMs.length, slowestMs })
  expect(await isIndexed(url)).toBe(true)
  expect(slowestMs).toBeLessThan(LIMIT_MS)
})
