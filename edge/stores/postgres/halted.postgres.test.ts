// On PostgreSQL a run that goes on and an archiving of its campaign wait for each other, whichever commits first (decision 0169).

import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/servers.ts'
import { openPostgresStores } from '../postgres.ts'
import { givenStore } from '../suite/given.ts'
import { givenContinuation } from '../suite/halted.suite.ts'
import { type Link, openLink } from './link.ts'

let url = ''
const given = givenStore(async ({ clock }) => {
  url = await freshDatabase()
  return openPostgresStores({ url, clock })
})

const query = (link: Link, text: string) => link.query<{ n: string }>(text, [], { prepare: false })
const waitingForLocks = async (link: Link) =>
  Number((await query(link, `SELECT COUNT(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'`))[0]?.n)

test('a continuation behind an archiving that has not committed waits for it, and is halted', async () => {
  const { plan, campaignId, messages } = await givenContinuation(given, true)
  const [archiving, watching] = [
    await openLink({ url, deadlineMs: 10_000 }),
    await openLink({ url, deadlineMs: 10_000 }),
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
