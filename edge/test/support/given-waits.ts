// Adds waiting runs to crash tests: digests, enrichers and awaited events, and checks the resulting messages.

import { expect } from 'vitest'
import type { InboxMessage } from '../../../contract/api.ts'
import { answer, startPlainEndpoint } from './endpoint.ts'
import { compareMarks, type Entry } from './ledger.ts'
import type { RawClient } from './raw-client.ts'
import { createPageReader } from './read-pages.ts'

/** An event that the load sends in addition to its own. */
export interface ExtraEvent {
  name: string
  userId: string
  /** The entry that it refers to. */
  of?: number
}

export interface WaitCounts {
  gathered: number
  /** Number of messages about the gathered events. */
  digests: number
  /** Numbers of runs that an event resumed, and of endpoint calls. */
  resumed: number
  calls: number
}

export interface GivenWaits {
  /** Returns an extra event to send, or undefined. */
  extraEvent(ledger: ReadonlyMap<number, Entry>): ExtraEvent | undefined
  /**
   * Sends the awaited events until every run has ended.
   * Requires one message for each event, and one call id for each run. @returns the counts
   */
  expectWaits(url: string, ledger: ReadonlyMap<number, Entry>): Promise<WaitCounts>
  close(): Promise<void>
}

export interface WaitsDeps {
  client: RawClient
  sdkSecretKey: string
  random: () => number
  ask(method: string, url: string, path: string, body: object): Promise<unknown>
  signIn(userId: string): Promise<string>
}

const USERS = 8
const LIST = '{% for e in events %}{{ e.properties.number }} {% endfor %}'
const CAMPAIGNS = [
  {
    key: 'gathered',
    trigger: { event: 'wait.noted' },
    steps: [
      { id: 'gather', type: 'digest', window: 'PT0.3S', max: 5 },
      { id: 'tell', type: 'inbox', title: `gathered ${LIST}` },
    ],
  },
  {
    key: 'awaited',
    trigger: { event: 'wait.begun' },
    steps: [
      { id: 'look', type: 'enrich', enricher: 'look', params: { number: '{{ event.properties.number }}' } },
      { id: 'pause', type: 'delay', for: 'PT0.1S' },
      {
        id: 'wait',
        type: 'waitFor',
        event: 'wait.ended',
        where: 'awaited.properties.of == event.properties.number',
        timeout: 'P1D',
        then: [{ id: 'came', type: 'inbox', title: 'came {{ enriched.look.number }}' }],
        onTimeout: [],
      },
    ],
  },
]

/** Publishes the campaigns with waits, starts the endpoint, and signs eight users in. */
export async function givenWaits(
  url: string,
  { client, sdkSecretKey, random, ask, signIn }: WaitsDeps,
): Promise<GivenWaits> {
  const endpoint = await startPlainEndpoint()
  endpoint.handle = (_, response, { body }) => answer(response, 200, { ok: true, data: body.params })
  await ask('PUT', url, '/v1/enrichers/look', { url: endpoint.url })
  for (const campaign of CAMPAIGNS) {
    const { id } = (await ask('POST', url, '/v1/campaigns', campaign)) as { id: string }
    await ask('POST', url, `/v1/campaigns/${id}/publish`, {})
  }
  const sessions = new Map<string, string>()
  for (let n = 0; n < USERS; n++) sessions.set(`waiter_${n}`, await signIn(`waiter_${n}`))
  const ended = new Set<number>()

  async function readMessages(at: string): Promise<{ user: string; prefix: string; numbers: number[] }[]> {
    const { readAll } = createPageReader(client, at)
    const messages = []
    for (const [user, token] of sessions) {
      for (const { title } of await readAll<InboxMessage>('/v1/inbox/messages', token)) {
        const [prefix = '', ...numbers] = title.trim().split(' ')
        messages.push({ user, prefix, numbers: numbers.map(Number) })
      }
    }
    return messages
  }

  /** Says what became of the runs of some entries, given as user and number. */
  async function describeRuns(at: string, marks: Set<string>, ledger: ReadonlyMap<number, Entry>): Promise<string> {
    const entries = [...ledger.values()].filter(({ userIds, number }) => marks.has(`${userIds} ${number}`))
    const events = await createPageReader(client, at).readAll<TrackedRuns>('/v1/events', sdkSecretKey)
    const runIds = events
      .filter(({ eventId }) => entries.some((entry) => entry.eventId === eventId))
      .flatMap(({ runs }) => runs.map(({ runId }) => runId))
    const runs = await Promise.all(
      runIds.map(async (runId) => (await client.ask(at, 'GET', `/v1/runs/${runId}`, { key: sdkSecretKey })).body),
    )
    // The reasons come first, because the list of failed tests shows only the beginning.
    const reasons = (runs as { state: string; stateReason: string | null }[]).map(
      ({ state, stateReason }) => `${state} ${stateReason}`,
    )
    return `Runs without a message: ${reasons.join(', ')}\n${JSON.stringify({ entries, runs })}`
  }

  return {
    extraEvent(ledger) {
      const kind = random()
      const userId = `waiter_${Math.floor(random() * USERS)}`
      if (kind < 0.15) return { name: 'wait.noted', userId }
      if (kind < 0.23) return { name: 'wait.begun', userId }
      if (kind > 0.29) return undefined
      const started = [...ledger.values()].findLast(
        (entry) => entry.name === 'wait.begun' && entry.state === 'ok' && !ended.has(entry.number),
      )
      if (started === undefined) return undefined
      ended.add(started.number)
      return { name: 'wait.ended', userId: started.userIds[0] ?? '', of: started.number }
    },
    async expectWaits(at, ledger) {
      const entriesNamed = (name: string) => [...ledger.values()].filter((entry) => entry.name === name)
      const expected = [...entriesNamed('wait.noted'), ...entriesNamed('wait.begun')].map(
        ({ userIds, number }) => `${userIds} ${number}`,
      )
      const marks = async () =>
        (await readMessages(at)).flatMap(({ user, numbers }) => numbers.map((n) => `${user} ${n}`))
      const missing = async () => {
        const messages = new Set(await marks())
        // An event that came before its wait does not count, so another is sent.
        for (const { userIds, number: of } of entriesNamed('wait.begun').filter(
          (one) => !messages.has(`${one.userIds} ${one.number}`),
        )) {
          const event = { sdkSecretKey, name: 'wait.ended', userId: userIds[0], properties: { of } }
          await ask('POST', at, '/v1/events/track', event)
        }
        return expected.filter((mark) => !messages.has(mark))
      }
      await expect
        .poll(missing, { interval: 250 })
        .toEqual([])
        .catch(async (error: unknown) => {
          throw new Error(await describeRuns(at, new Set(await missing()), ledger), { cause: error })
        })
      expect(compareMarks(expected, await marks())).toEqual({ lost: [], doubled: [], phantom: [] })
      expectCalls(endpoint.requests, entriesNamed('wait.begun'))

      const events = await createPageReader(client, at).readAll<TrackedRuns>('/v1/events', sdkSecretKey)
      const states = events.flatMap(({ name, runs }) => (name.startsWith('wait.') ? runs.map((run) => run.state) : []))
      expect(new Set(states)).toEqual(new Set(['completed']))
      expect(states).toHaveLength(expected.length)
      const messages = await readMessages(at)
      const count = (prefix: string) => messages.filter((one) => one.prefix === prefix).length
      const counts = { digests: count('gathered'), resumed: count('came') }
      return { gathered: entriesNamed('wait.noted').length, ...counts, calls: endpoint.requests.length }
    },
    close: () => endpoint.close(),
  }
}

interface TrackedRuns {
  eventId: string
  name: string
  runs: { runId: string; state: string }[]
}

/** Requires at least one call for each run, and that its repeats have the same id and body. */
function expectCalls(requests: { headers: object; body: { payload: string } }[], started: Entry[]): void {
  const payloads = new Map<number, Set<string>>()
  for (const { headers, body } of requests) {
    const { event } = JSON.parse(body.payload) as { event: { properties: { number: number } } }
    const { number } = event.properties
    const id = (headers as Record<string, string>)['webhook-id']
    payloads.set(number, (payloads.get(number) ?? new Set()).add(`${id} ${body.payload}`))
  }
  expect([...payloads.keys()].sort((a, b) => a - b)).toEqual(started.map(({ number }) => number).sort((a, b) => a - b))
  for (const [number, distinct] of payloads) expect([number, distinct.size]).toEqual([number, 1])
}
