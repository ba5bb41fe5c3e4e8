// Sets up ledger tests: a campaign on the load's event, signed-in users, and the load.

import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { AuthAnswer, InboxPage } from '../../../contract/api.ts'
import type { DemoFile } from '../../seed/demo-file.ts'
import { type CrashLoad, createCrashLoad } from './crash-load.ts'
import { givenWaits, type WaitCounts } from './given-waits.ts'
import { createRandom } from './ledger.ts'
import { createRawClient, type RawClient } from './raw-client.ts'
import { expectLedger, type LedgerCounts } from './read-ledger.ts'

/** Longer than any request takes (ms). */
const SETTLED_WITHIN_MS = 120_000

export interface GivenLedger {
  client: RawClient
  load: CrashLoad
  random: () => number
  sdkSecretKey: string
  /** Sign-in answers by user. */
  sessions: Map<string, AuthAnswer>
  /** Lets the load click current messages of one user, chosen at random. @returns their number */
  startClicks(url: string): Promise<number>
  /** Removes the messages that are not clicked yet. */
  stopClicks(): void
  /** Retries entries without an answer. @throws when some stay open */
  settle(url: string): Promise<void>
  expectLedger(url: string): Promise<LedgerCounts>
  /** Waiting runs, when the options ask for them. */
  expectWaits(url: string): Promise<WaitCounts>
  close(): void
}

export interface LedgerOptions {
  seed: number
  /** More than 50 users, so that an event for all of them is fanned out. */
  users: number
  workers?: number
  /** Includes events whose runs wait. */
  waits?: boolean
}

/** Publishes the campaign and signs the users in, on a running server with the demo. @throws when a call is refused */
export async function givenLedger(url: string, demo: DemoFile, options: LedgerOptions): Promise<GivenLedger> {
  const client = createRawClient()
  const random = createRandom(options.seed)
  const { sdkSecretKey, frontApiKey, authSecretKey } = demo.environments.dev
  const userIds = Array.from({ length: options.users }, (_, at) => `crash_${at}`)

  async function ask<T>(method: string, at: string, path: string, key: string, body?: object): Promise<T> {
    const answer = await client.ask(at, method, path, { key, ...(body === undefined ? {} : { body }) })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }
  /** Repeats an idempotent call while a server answers 503, because its database may be blocked for a moment. */
  async function askWithRetry<T>(...call: Parameters<typeof ask>): Promise<T> {
    for (const end = performance.now() + SETTLED_WITHIN_MS; ; await setTimeout(100)) {
      try {
        return await ask<T>(...call)
      } catch (error) {
        if (performance.now() > end || !String(error).includes('answered 503')) throw error
      }
    }
  }
  const campaign = await ask<{ id: string }>('POST', url, '/v1/campaigns', sdkSecretKey, {
    key: 'crash',
    name: 'Crash',
    trigger: { event: 'crash.tracked' },
    steps: [{ id: 'tell', type: 'inbox', title: 'Event {{ event.properties.number }}' }],
  })
  await ask('POST', url, `/v1/campaigns/${campaign.id}/publish`, sdkSecretKey, {})
  const signIn = (userId: string) => {
    const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
    return askWithRetry<AuthAnswer>('POST', url, '/v1/users/auth', '', { apiKey: frontApiKey, userId, token })
  }
  const sessions = new Map<string, AuthAnswer>()
  for (const userId of userIds) sessions.set(userId, await signIn(userId))
  const waits =
    options.waits === true
      ? await givenWaits(url, {
          client,
          sdkSecretKey,
          random,
          ask: (method, at, path, body) => ask(method, at, path, sdkSecretKey, body),
          signIn: async (userId) => (await signIn(userId)).sessionToken,
        })
      : undefined
  const clickables: { token: string; messageId: string }[] = []
  const clickable = () => clickables.pop()
  const workers = options.workers === undefined ? {} : { workers: options.workers }
  const extraEvent = waits === undefined ? {} : { extraEvent: waits.extraEvent }
  const load = createCrashLoad({ client, sdkSecretKey, random, userIds, clickable, ...workers, ...extraEvent })

  return {
    client,
    load,
    random,
    sdkSecretKey,
    sessions,
    async startClicks(at) {
      const userId = userIds[Math.floor(random() * userIds.length)] as string
      const token = sessions.get(userId)?.sessionToken as string
      const { data } = await askWithRetry<InboxPage>('GET', at, '/v1/inbox/messages?limit=50', token)
      const unclicked = data.filter(({ clickedAt }) => clickedAt === null)
      clickables.push(...unclicked.map(({ id }) => ({ token, messageId: id })))
      return unclicked.length
    },
    stopClicks() {
      clickables.length = 0
    },
    async settle(at) {
      const end = performance.now() + SETTLED_WITHIN_MS
      let remaining = await load.settle(at)
      // A server that has just started answers 503 on a busy machine: the call is repeated.
      while (remaining > 0 && performance.now() < end) {
        await setTimeout(100)
        remaining = await load.settle(at)
      }
      if (remaining > 0)
        throw new Error(`${remaining} requests have no answer yet: ${JSON.stringify([...load.failures])}`)
    },
    expectLedger: (at) =>
      expectLedger({
        client,
        url: at,
        sdkSecretKey,
        campaignId: campaign.id,
        sessions: new Map([...sessions].map(([userId, { sessionToken }]) => [userId, sessionToken])),
        load,
      }),
    async expectWaits(at) {
      if (waits === undefined) throw new Error('The options of this ledger have no waits.')
      return waits.expectWaits(at, load.ledger)
    },
    close() {
      client.close()
      void waits?.close()
    },
  }
}
