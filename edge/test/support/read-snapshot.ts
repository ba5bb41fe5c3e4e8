// Checks a restored snapshot (backup or export): it is consistent and contains all events acknowledged before it began.

import { expect } from 'vitest'
import type { FunnelAnswer, InboxMessage, InboxPage, Page } from '../../../contract/api.ts'
import type { GivenLedger } from './given-ledger.ts'
import { compareMarks } from './ledger.ts'
import { createPageReader } from './read-pages.ts'

export interface SnapshotCounts {
  /** Events answered before the snapshot began; all must exist in it. */
  before: number
  /** Events that exist. */
  events: number
  messages: number
}

/** Returns the numbers of the events answered so far. */
export function acknowledged({ load }: GivenLedger): Set<number> {
  return new Set([...load.ledger.values()].filter(({ state }) => state === 'ok').map(({ number }) => number))
}

/** Requires that each event of the snapshot has one message for each user, and that all of `before` exist. */
export async function expectSnapshot(given: GivenLedger, url: string, before: Set<number>): Promise<SnapshotCounts> {
  const { read, readAll } = createPageReader(given.client, url)
  const events = await readAll<{ properties: { number: number } }>('/v1/events', given.sdkSecretKey)
  const numbers = events.map(({ properties }) => properties.number)
  expect(new Set(numbers).size).toBe(numbers.length)
  const stored = new Set(numbers)
  expect([...before].filter((number) => !stored.has(number))).toEqual([])

  const expected = numbers.flatMap((number) => {
    const entry = given.load.ledger.get(number)
    if (entry === undefined) throw new Error(`event ${number} was never sent`)
    return entry.userIds.map((userId) => `${userId} ${number}`)
  })
  const [campaign] = (await read<Page<{ id: string }>>('/v1/campaigns', given.sdkSecretKey)).data
  const delivered = async () => {
    const { steps } = await read<FunnelAnswer>(`/v1/campaigns/${campaign?.id}/stats`, given.sdkSecretKey)
    return steps.find(({ step }) => step === 'delivery')?.count ?? 0
  }
  // Fan-outs that the snapshot interrupted continue on their own.
  await expect.poll(delivered).toBeGreaterThanOrEqual(expected.length)
  const marks: string[] = []
  for (const [userId, { sessionToken }] of given.sessions) {
    const own = await readAll<InboxMessage>('/v1/inbox/messages', sessionToken)
    marks.push(...own.map(({ title }) => `${userId} ${title.replace('Event ', '')}`))
    const { inbox } = await read<InboxPage>('/v1/inbox/messages?limit=1', sessionToken)
    expect(inbox.unread).toBe(own.filter(({ unopened, readAt }) => unopened && readAt === null).length)
  }
  expect(compareMarks(expected, marks)).toEqual({ lost: [], doubled: [], phantom: [] })
  return { before: before.size, events: numbers.length, messages: marks.length }
}
