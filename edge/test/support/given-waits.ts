// Adds waiting runs to crash tests: digests, enrichers and awaited events, and checks the resulting messages.

import { expect } from 'vitest'
import type { InboxMessage } from '../../../contract/api.ts'
import { answer, startPlainEndpoint } from './endpoint.ts'
import { compareMarks, type Entry } from './ledger.ts'
import type { RawClient } from './raw-client.ts'
import { createPageReader } from './read-pages.ts'

/** An event that the load sends in addition to its own. */
export interface AnotherEvent {
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
  came: number
  asked: number
}

export interface GivenWaits {
  /** Returns an extra event to send, or undefined. */
  another(ledger: ReadonlyMap<number, Entry>): AnotherEvent | undefined
  /**
   * Sends the awaited events until every run has ended.
   * Requires one message for each event, and one call id for each run. @returns the counts
   */
  expectWaits(url: string, ledger: ReadonlyMap<number, Entry>): Promise<WaitCounts>
  close(): Promise<void>
}

export interface WaitsRoom {
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

export async function givenWaits(
  url: string,
  { client, sdkSecretKey, random, ask, signIn }: WaitsRoom,
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

  async function readTold(at: string): Promise<{ user: string; word: string; numbers: number[] }[]> {
    const { readAll } = createPageReader(client, at)
    const told = []
    for (const [user, token] of sessions) {
      for (const { title } of await readAll<InboxMessage>('/v1/inbox/messages', token)) {
        const [word = '', ...numbers] = title.trim().split(' ')
        told.push({ user, word, numbers: numbers.map(Number) })
      }
    }
    return told
  }

  return {
    another(ledger) {
      const kind = random()
      const userId = `waiter_${Math.floor(random() * USERS)}`
      if (kind < 0.15) return { name: 'wait.noted', userId }
      if (kind < 0.23) return { name: 'wait.begun', userId }
      if (kind > 0.29) return undefined
      const begun = [...ledger.values()].findLast(
        (entry) => entry.name === 'wait.begun' && entry.state === 'ok' && !ended.has(entry.number),
      )
      if (begun === undefined) return undefined
      ended.add(begun.number)
      return { name: 'wait.ended', userId: begun.userIds[0] ?? '', of: begun.number }
    },
    async expectWaits(at, ledger) {
      const named = (name: string) => [...ledger.values()].filter((entry) => entry.name === name)
      const expected = [...named('wait.noted'), ...named('wait.begun')].map(
        ({ userIds, number }) => `${userIds} ${number}`,
      )
      const marks = async () => (await readTold(at)).flatMap(({ user, numbers }) => numbers.map((n) => `${user} ${n}`))
      const missing = async () => {
        const told = new Set(await marks())
        // An event that came before its wait does not count, so another is sent.
        for (const { userIds, number: of } of named('wait.begun').filter(
          (one) => !told.has(`${one.userIds} ${one.number}`),
        )) {
          const event = { sdkSecretKey, name: 'wait.ended', userId: userIds[0], properties: { of } }
          await ask('POST', at, '/v1/events/track', event)
        }
        return expected.filter((mark) => !told.has(mark))
      }
      await expect.poll(missing, { timeout: 90_000, interval: 250 }).toEqual([])
      expect(compareMarks(expected, await marks())).toEqual({ lost: [], doubled: [], phantom: [] })
      expectCalls(endpoint.heard, named('wait.begun'))

      const events = await createPageReader(client, at).readAll<TrackedRuns>('/v1/events', sdkSecretKey)
      const states = events.flatMap(({ name, runs }) => (name.startsWith('wait.') ? runs.map((run) => run.state) : []))
      expect(new Set(states)).toEqual(new Set(['completed']))
      expect(states).toHaveLength(expected.length)
      const told = await readTold(at)
      const count = (word: string) => told.filter((one) => one.word === word).length
      const counts = { digests: count('gathered'), came: count('came') }
      return { gathered: named('wait.noted').length, ...counts, asked: endpoint.heard.length }
    },
    close: () => endpoint.close(),
  }
}

interface TrackedRuns {
  name: string
  runs: { state: string }[]
}

/** Requires at least one call for each run, and that its repeats have the same id and body. */
function expectCalls(heard: { headers: object; body: { payload: string } }[], begun: Entry[]): void {
  const questions = new Map<number, Set<string>>()
  for (const { headers, body } of heard) {
    const { event } = JSON.parse(body.payload) as { event: { properties: { number: number } } }
    const { number } = event.properties
    const id = (headers as Record<string, string>)['webhook-id']
    questions.set(number, (questions.get(number) ?? new Set()).add(`${id} ${body.payload}`))
  }
  expect([...questions.keys()].sort((a, b) => a - b)).toEqual(begun.map(({ number }) => number).sort((a, b) => a - b))
  for (const [number, asked] of questions) expect([number, asked.size]).toEqual([number, 1])
}
