// Tests on PostgreSQL that a continued run waits for a concurrent archive or resume, whichever commits first
// (docs/decisions/0018-waiting-runs.md).

import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/servers.ts'
import { openPostgresStores } from '../postgres.ts'
import { givenStore } from '../test/given.ts'
import { givenContinuation } from '../test/halted.suite.ts'
import { type Connection, openConnection } from './connection.ts'

let url = ''
const given = givenStore(async ({ clock }) => {
  url = await freshDatabase()
  return openPostgresStores({ url, clock })
})

const query = (connection: Connection, text: string) => connection.query<{ n: string }>(text, [], { prepare: false })
const waitingForLocks = async (connection: Connection) =>
  Number(
    (
      await query(
        connection,
        `SELECT COUNT(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      )
    )[0]?.n,
  )

test('a continuation waits for an archive that has not committed, and is halted', async () => {
  const { plan, campaignId, messages } = await givenContinuation(given, true)
  const [archiving, watching] = [
    await openConnection({ url, deadlineMs: 10_000 }),
    await openConnection({ url, deadlineMs: 10_000 }),
  ]
  await query(archiving, 'BEGIN')
  await query(archiving, `UPDATE campaign SET status = 'archived' WHERE id = ${campaignId}`)
  const outcome = given.stores.commit.track(plan)
  await expect.poll(() => waitingForLocks(watching)).toBe(1)
  await query(archiving, 'COMMIT')
  expect(await outcome).toEqual({ result: 'halted' })
  expect(await messages()).toEqual([])
  archiving.destroy('done')
  watching.destroy('done')
})

test.each([true, false])(
  'a run that an open transaction resumes continues to wait (its last step: %s)',
  async (isLast) => {
    const { plan, messages } = await givenContinuation(given, isLast)
    const runId = plan.continues?.claim.runId ?? 0
    const [resuming, watching] = [
      await openConnection({ url, deadlineMs: 10_000 }),
      await openConnection({ url, deadlineMs: 10_000 }),
    ]
    await query(resuming, 'BEGIN')
    await query(resuming, `UPDATE run_wait SET due_at = 1, fence = fence + 1 WHERE run_id = ${runId}`)
    const outcome = given.stores.commit.track(plan)
    await expect.poll(() => waitingForLocks(watching)).toBe(1)
    await query(resuming, 'COMMIT')
    expect(await outcome).toEqual({ result: 'not-waiting' })
    expect(await messages()).toEqual([])
    expect(await given.stores.waits.claim(given.now(), 1000, 10)).toMatchObject([{ runId }])
    resuming.destroy('done')
    watching.destroy('done')
  },
)
