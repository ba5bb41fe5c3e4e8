// What the tests with a ledger begin with: a campaign on the load's event, users who are signed in, and the load.

import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { AuthAnswer, InboxPage } from '../../../contract/api.ts'
import type { DemoFile } from '../../flow/seed-demo.ts'
import { type CrashLoad, createCrashLoad } from './crash-load.ts'
import { givenWaits, type WaitCounts } from './given-waits.ts'
import { createRandom } from './ledger.ts'
import { createRawClient, type RawClient } from './raw-client.ts'
import { expectLedger, type LedgerCounts } from './read-ledger.ts'

/** Nobody is busy for longer. */
const SETTLED_WITHIN_MS = 20_000

export interface GivenLedger {
  client: RawClient
  load: CrashLoad
  random: () => number
  sdkSecretKey: string
  /** Answers of the sign-in by user. */
  sessions: Map<string, AuthAnswer>
  /** Lets the load click messages that one of the users has now; answers how many. */
  offerClicks(url: string): Promise<number>
  /** No message is clicked any more. */
  endClicks(): void
  /** Retries what has no answer; fails unless all has one then. */
  settle(url: string): Promise<void>
  expectLedger(url: string): Promise<LedgerCounts>
  /** Of the runs that wait, if the wish had them. */
  expectWaits(url: string): Promise<WaitCounts>
  close(): void
}

export interface LedgerWish {
  seed: number
  /** More than 50, so that an event for all of them is fanned out. */
  users: number
  workers?: number
  /** Also events whose runs wait. */
  waits?: boolean
}

export async function givenLedger(url: string, demo: DemoFile, wish: LedgerWish): Promise<GivenLedger> {
  const client = createRawClient()
  const random = createRandom(wish.seed)
  const { sdkSecretKey, frontApiKey, authSecretKey } = demo.environments.dev
  const userIds = Array.from({ length: wish.users }, (_, at) => `crash_${at}`)

  async function ask<T>(method: string, at: string, path: string, key: string, body?: object): Promise<T> {
    const answer = await client.ask(at, method, path, { key, ...(body === undefined ? {} : { body }) })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }
  /** What changes nothing when it is asked for twice: a server whose database stands still for a moment wants to be asked again. */
  async function askAgain<T>(...call: Parameters<typeof ask>): Promise<T> {
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
    return askAgain<AuthAnswer>('POST', url, '/v1/users/auth', '', { apiKey: frontApiKey, userId, token })
  }
  const sessions = new Map<string, AuthAnswer>()
  for (const userId of userIds) sessions.set(userId, await signIn(userId))
  const waits =
    wish.waits === true
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
  const workers = wish.workers === undefined ? {} : { workers: wish.workers }
  const another = waits === undefined ? {} : { another: waits.another }
  const load = createCrashLoad({ client, sdkSecretKey, random, userIds, clickable, ...workers, ...another })

  return {
    client,
    load,
    random,
    sdkSecretKey,
    sessions,
    async offerClicks(at) {
      const userId = userIds[Math.floor(random() * userIds.length)] as string
      const token = sessions.get(userId)?.sessionToken as string
      const { data } = await askAgain<InboxPage>('GET', at, '/v1/inbox/messages?limit=50', token)
      const fresh = data.filter(({ clickedAt }) => clickedAt === null)
      clickables.push(...fresh.map(({ id }) => ({ token, messageId: id })))
      return fresh.length
    },
    endClicks() {
      clickables.length = 0
    },
    async settle(at) {
      const end = performance.now() + SETTLED_WITHIN_MS
      let left = await load.settle(at)
      // 503 is an answer, too: that of a server which has just started beside others, and asks to be asked again.
      while (left > 0 && performance.now() < end) {
        await setTimeout(100)
        left = await load.settle(at)
      }
      if (left > 0) throw new Error(`${left} requests have no answer yet: ${JSON.stringify([...load.troubles])}`)
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
      if (waits === undefined) throw new Error('Nothing waits in this load.')
      return waits.expectWaits(at, load.ledger)
    },
    close() {
      client.close()
      void waits?.close()
    },
  }
}
