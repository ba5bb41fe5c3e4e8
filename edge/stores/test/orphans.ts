// Tests on both engines that a rebuild of the counters removes delivery events whose message was erased.

import { expect } from 'vitest'
import { type Given, userWithMessages } from './given.ts'

export const COUNT_ORPHANS =
  'SELECT COUNT(*) FROM delivery_event d WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.environment_id = d.environment_id AND m.id = d.message_id)'

/** Direct access to the tables of the given store. */
export interface Tables {
  run(...statements: string[]): Promise<unknown>
  /** Runs `COUNT_ORPHANS`. */
  count(): Promise<number>
}

export async function expectOrphansRemoved(given: Given, { run, count }: Tables): Promise<void> {
  const { stores } = given
  const campaignId = given.id()
  const { environmentId, messageIds } = await userWithMessages(given, 3, { campaignId })
  const read = { eventType: 'read' as const, occurredAt: given.now(), automated: false, source: 'api', link: null }
  const items = messageIds.map((messageId) => ({ messageId, ...read }))
  await stores.commit.deliver({ kind: 'deliver', environmentId, userNo: null, now: given.now(), items })
  await stores.users.erase(environmentId, 'u1', given.now())
  // Two delivery events that an earlier release wrote between the steps of an erasure: counted, without a message.
  const orphans = messageIds.slice(0, 2).map((id) => `(${environmentId}, 'opened', ${id}, 1, 1, 0, 0, 'api')`)
  await run(
    `INSERT INTO delivery_event (environment_id, event_type, message_id, occurred_at, recorded_at, implied, automated, source) VALUES ${orphans.join(', ')}`,
    `UPDATE funnel SET opens = opens + 2, clicks = clicks + 1 WHERE campaign_id = ${campaignId}`,
  )
  expect(await count()).toBe(2)
  // The click without an event: in its hour, its day and all time.
  expect(await stores.funnels.rebuild()).toMatchObject({ differed: 3 })
  expect(await count()).toBe(0)
  expect(await stores.funnels.slices(environmentId, campaignId, 'inbox', null)).toMatchObject([
    { delivery: 3, read: 3, opened: 2, clicked: 0 },
  ])
  expect(await stores.funnels.rebuild()).toMatchObject({ differed: 0 })
}
