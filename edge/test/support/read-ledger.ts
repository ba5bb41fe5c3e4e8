// Reads by HTTP what a load has stored, and compares it with the ledger.

import { expect } from 'vitest'
import type { FunnelAnswer, InboxMessage, InboxPage } from '../../../contract/api.ts'
import type { CrashLoad } from './crash-load.ts'
import { compareMarks, expectedMarks } from './ledger.ts'
import type { RawClient } from './raw-client.ts'
import { createPageReader } from './read-pages.ts'

export interface LedgerDeps {
  client: RawClient
  url: string
  sdkSecretKey: string
  campaignId: string
  /** Session tokens by user. */
  sessions: Map<string, string>
  load: CrashLoad
}

export interface LedgerCounts {
  /** Numbers of events answered 202, and of their messages. */
  events: number
  messages: number
  clicks: number
  fanOuts: number
}

const NONE = { lost: [], doubled: [], phantom: [] }

/** Requires each acknowledged event, message and click once, no other, and equal counters. */
export async function expectLedger({ client, url, load, ...deps }: LedgerDeps): Promise<LedgerCounts> {
  const { read, readAll } = createPageReader(client, url)
  const funnel = async () => {
    const { steps } = await read<FunnelAnswer>(`/v1/campaigns/${deps.campaignId}/stats`, deps.sdkSecretKey)
    return Object.fromEntries(steps.map(({ step, count }) => [step, count]))
  }

  // Waits for the number of messages first, because fan-outs continue after the load.
  const expected = expectedMarks([...load.ledger.values()].filter(({ name }) => name === undefined))
  await expect.poll(async () => (await funnel()).delivery).toBeGreaterThanOrEqual(expected.length)
  const messages: InboxMessage[] = []
  const marks: string[] = []
  for (const [userId, token] of deps.sessions) {
    const own = await readAll<InboxMessage>('/v1/inbox/messages', token)
    messages.push(...own)
    marks.push(...own.map(({ title }) => `${userId} ${title.replace('Event ', '')}`))
    const { inbox } = await read<InboxPage>('/v1/inbox/messages?limit=1', token)
    expect(inbox.unread).toBe(own.filter(({ unopened, readAt }) => unopened && readAt === null).length)
    expect(inbox.unopened).toBe(own.filter(({ unopened }) => unopened).length)
  }
  expect(compareMarks(expected, marks)).toEqual(NONE)

  const all = await readAll<{ eventId: string; properties: { number?: number } }>('/v1/events', deps.sdkSecretKey)
  // Each event of the load has a number. Beside them are those of the demo's month, where the first start wrote one.
  const events = all.filter(({ properties }) => properties.number !== undefined)
  const accepted = [...load.ledger.values()].filter(({ state }) => state === 'ok')
  const acknowledged = accepted.map(({ eventId, number }) => `${eventId} ${number}`)
  const stored = events.map(({ eventId, properties }) => `${eventId} ${properties.number}`)
  expect(compareMarks(acknowledged, stored)).toEqual(NONE)

  const clicked = messages.filter(({ clickedAt }) => clickedAt !== null).map(({ id }) => id)
  expect(compareMarks([...load.clicked], clicked)).toEqual(NONE)
  const clicks = clicked.length
  expect(await funnel()).toEqual({ delivery: expected.length, read: clicks, opened: clicks, clicked: clicks })
  const fanOuts = accepted.filter(({ userIds }) => userIds.length > 50).length
  return { events: accepted.length, messages: expected.length, clicks, fanOuts }
}
