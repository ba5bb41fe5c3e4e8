// Sets up lives of runs on a real store with the flows of a server, without HTTP: a campaign with every type of step, a test
// clock, and what may happen to its runs and messages.

import type { Channel, RegisteredEventType } from '../../../contract/delivery.ts'
import { markOfRun } from '../../domain/in-hand.ts'
import type { MailChange } from '../../domain/mail/mail.ts'
import { RELEASE_WAITS } from '../../flow/resume/release-waits.ts'
import { createCreateEnvironment } from '../../flow/tenant/create-environment.ts'
import { createManageSuppressions } from '../../flow/users/manage-suppressions.ts'
import { parseId } from '../../lib/id.ts'
import { createCrashPoints } from '../crash/crash-points.ts'
import { openWalkStore } from '../crash/walk-server.ts'
import { DRAFT } from '../support/draft-environment.ts'
import { answer, startPlainEndpoint } from '../support/endpoint.ts'
import { ENGINE, engineSettings } from '../support/engine.ts'

const LEASE_MS = 60_000
const BY = { actor: 'api', who: 'test' } as const

/** The last one has no address. */
export const USERS = ['ada', 'bea', 'cyd', 'dan']

const INNER = [{ id: 'tell', type: 'inbox', title: '{{ event.properties.size }}', collapseKey: 'tell' }]
const campaignOf = (version: number) => ({
  key: 'life',
  name: `Life ${version}`,
  trigger: { event: 'life.begun' },
  steps: [
    {
      id: 'mark',
      type: 'enrich',
      enricher: 'mark',
      params: { as: '{{ event.properties.enricher }}' },
      onError: 'continue',
    },
    {
      id: 'ask',
      type: 'branch',
      branches: [
        {
          key: 'odd',
          when: 'event.properties.size > 25',
          steps: [{ id: 'strict', type: 'enrich', enricher: 'mark', params: { as: 'fails' } }],
        },
        {
          key: 'large',
          when: 'event.properties.size > 20',
          steps: [{ id: 'leave', type: 'exit', reason: 'too large' }],
        },
        { key: 'half', when: 'event.properties.size > 10', steps: INNER },
      ],
    },
    {
      id: 'pause',
      type: 'delay',
      until: "{% if event.properties.pause == 'never' %}never{% else %}{{ event.properties.until }}{% endif %}",
    },
    { id: 'calm', type: 'throttle', limit: 2, window: 'P1D' },
    { id: 'gather', type: 'digest', window: 'PT3H', max: 3 },
    {
      id: 'paid',
      type: 'waitFor',
      event: 'life.paid',
      timeout: 'P1D',
      then: [{ id: 'thanks', type: 'inbox', title: 'Thanks' }],
      onTimeout: [{ id: 'nudge', type: 'email', subject: 'Pay', markdown: 'Pay' }],
    },
    ...(version % 2 === 0 ? [{ id: 'later', type: 'delay', for: 'PT1H' }] : []),
    { id: 'bye', type: 'email', subject: 'Bye', markdown: 'Bye' },
  ],
})

const PAUSES_MS: Record<string, number> = { PT1S: 1000, PT2H: 2 * 3_600_000, P4D: 4 * 24 * 3_600_000 }

export type GivenLives = Awaited<ReturnType<typeof givenLives>>
export type Life = Awaited<ReturnType<GivenLives['createLife']>>

export async function givenLives(dataDir: string) {
  const engine = await engineSettings(ENGINE, { withRedis: false })
  const masterKey = Buffer.alloc(32, 9).toString('base64')
  const walk = await openWalkStore({ DATA_DIR: dataDir, MASTER_KEY: masterKey, ...engine.env })
  const { stores, clock } = walk
  const server = walk.startServer(createCrashPoints(Number.POSITIVE_INFINITY))
  const { core, flows } = server
  const endpoint = await startPlainEndpoint()
  endpoint.handle = (_, response, { body }) =>
    body.params.as === 'fails' ? answer(response, 400, {}) : answer(response, 200, { ok: true, data: {} })
  const organisation = { id: 1, name: 'Lives', region: 'eu', onboardedAt: 0, retentionDays: 90, createdAt: 0 }
  await stores.organisations.create(organisation)
  const suppressions = createManageSuppressions(core)
  let lives = 0

  async function createLife() {
    const { environment } = await createCreateEnvironment(core)({ ...DRAFT, name: `life ${++lives}` }, BY)
    const environmentId = environment.id
    const times = { createdAt: clock.at, updatedAt: clock.at }
    const enricher = { environmentId, name: 'mark', url: endpoint.url, timeoutMs: 20_000, cacheSeconds: 0, ...times }
    const entry = { at: clock.at, ...BY, action: 'enricher.put', environmentId, subject: 'mark', detail: {} }
    await stores.enrichers.save(enricher, entry)
    const { id: publicId } = await flows.changeCampaign.create(environmentId, campaignOf(1), BY)
    await flows.changeCampaign.publish(environmentId, publicId, BY)
    const campaignId = parseId('campaign', publicId) ?? 0
    let versions = 1
    let begun = 0

    const inOrder = async (filter: { channel?: Channel }) =>
      (await stores.deliveries.step(environmentId, filter, null, 200)).records.toReversed()
    const commitMail = (messageId: number, fence: number | null, change: MailChange) =>
      stores.commit.mail({ kind: 'mail', environmentId, messageId, fence, now: clock.at, change })
    async function claimWaits() {
      const claimed = await stores.waits.claim(clock.at, LEASE_MS, 500)
      return claimed
    }
    async function work(): Promise<void> {
      for (let claimed = await claimWaits(); claimed.length > 0; claimed = await claimWaits()) {
        await flows.resumeRuns.resume(claimed)
        await flows.resumeRuns.settled()
      }
    }
    async function settle(): Promise<void> {
      for (const job of await stores.jobs.claim(clock.at, LEASE_MS, 10, [RELEASE_WAITS])) {
        if ((await flows.releaseWaits(job)) === 'complete') await stores.jobs.complete(job)
      }
    }

    return {
      environmentId,
      campaignId,
      publicId,
      versions: () => versions,
      /** Begins a run of each of the users at once. */
      async begin({ users, ...properties }: { users: number[]; size: number; enricher: string; pause: string }) {
        const until = new Date(clock.at + (PAUSES_MS[properties.pause] ?? 0)).toISOString()
        const events = users.map((index) => ({
          name: 'life.begun',
          userId: USERS[index] ?? '',
          ...(index < USERS.length - 1 && { user: { email: `${USERS[index]}@example.com` } }),
          properties: { ...properties, until },
          idempotencyKey: `begin-${++begun}`,
        }))
        await flows.acceptEvents.acceptBatch(environment, null, events, `c-${begun}`)
        await work()
      },
      async pay(index: number) {
        await flows.acceptEvents.accept(environment, null, { name: 'life.paid', userId: USERS[index] ?? '' }, 'c-pay')
        await work()
      },
      work,
      cancel: (index: number) =>
        flows.cancelRuns.cancel(environmentId, { campaignKey: 'life', userId: USERS[index] ?? '' }),
      pause: () => flows.changeCampaign.pause(environmentId, publicId, BY),
      async resume() {
        await flows.changeCampaign.resume(environmentId, publicId, BY)
        await settle()
      },
      suppress: (index: number, channel: Channel) =>
        suppressions.add(environmentId, { userId: USERS[index] ?? '', channel, reason: 'complaint' }, BY),
      /** Makes the change of all mails that are due. */
      async changeMails(change: MailChange) {
        for (const mail of await stores.mails.claim(clock.at, LEASE_MS, 500)) {
          if (mail.environmentId === environmentId) await commitMail(mail.messageId, mail.fence, change)
        }
      },
      async report(which: number, status: 'delivered' | 'bounced') {
        const mails = await inOrder({ channel: 'email' })
        const mail = mails[which % Math.max(1, mails.length)]
        if (mail === undefined) return
        await commitMail(mail.id, null, { does: 'report', status, at: clock.at, providerMessageId: null, error: null })
      },
      /** A trusted backend tells what a user did with one message. */
      async engage(which: number, eventType: RegisteredEventType) {
        const records = await inOrder({})
        const messageId = records[which % Math.max(1, records.length)]?.id
        if (messageId === undefined) return
        const item = { messageId, eventType, occurredAt: clock.at, automated: false, source: 'test', link: null }
        await stores.commit.deliver({ kind: 'deliver', environmentId, userNo: null, now: clock.at, items: [item] })
      },
      /** Ends the process twice while it handles what is due, which is then given up. */
      async crash() {
        clock.at += 4 * 3_600_000
        for (let end = 0; end < 2; end++) {
          const claimed = await claimWaits()
          await stores.givenUps.recordCrashes(claimed.map(markOfRun), clock.at)
          clock.at += LEASE_MS + 1
        }
        await work()
      },
      async runAgain(which: number) {
        const all = (await stores.givenUps.list(environmentId, 100)).filter(({ kind }) => kind !== 'job')
        const one = all[which % Math.max(1, all.length)]
        if (one !== undefined) await stores.givenUps.runAgain(environmentId, one, clock.at)
      },
      async drop(which: number) {
        const all = await stores.givenUps.list(environmentId, 100)
        const one = all[which % Math.max(1, all.length)]
        if (one !== undefined) await stores.givenUps.drop(environmentId, one)
      },
      async test(index: number) {
        await flows.tryCampaign.test(environment, null, publicId, { userId: USERS[index] ?? '' }, 'c-test')
        await work()
      },
      /** Publishes another version; waiting runs stay with theirs. */
      async publish() {
        await flows.changeCampaign.putDraft(environmentId, publicId, campaignOf(++versions), BY)
        await flows.changeCampaign.publish(environmentId, publicId, BY)
      },
    }
  }

  return {
    stores,
    clock,
    createLife,
    async close() {
      await server.stop()
      await walk.close()
      await endpoint.close()
      await engine.release()
    },
  }
}
