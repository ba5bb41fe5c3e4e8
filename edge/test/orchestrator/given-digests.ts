// Sets up digests on a real store without HTTP: interleaved callers and workers, a test clock, and readable results.

import { createMemoryBus } from '../../bus/memory.ts'
import { parseDefinition } from '../../campaign/definition.ts'
import { createEndRun } from '../../campaign/end-run.ts'
import { createLocalEvaluator } from '../../campaign/evaluator.ts'
import type { DeliveryRecord } from '../../domain/delivery/delivery-record.ts'
import type { Environment } from '../../domain/environment.ts'
import { NO_MARKS } from '../../domain/in-hand.ts'
import type { Commit } from '../../domain/plan.ts'
import type { Stores } from '../../domain/stores.ts'
import { createCommitPlan } from '../../flow/commit.ts'
import { createPinnedVersions } from '../../flow/resume/pinned-versions.ts'
import { createResumeRuns } from '../../flow/resume/resume-runs.ts'
import { createAcceptEvents } from '../../flow/track/accept-events.ts'
import { createLiveCampaigns } from '../../flow/track/live-campaigns.ts'
import { createPlanEvent } from '../../flow/track/plan-event.ts'
import { createSendPolicies } from '../../flow/track/send-policies.ts'
import { createStartRuns } from '../../flow/track/start-runs.ts'
import { createIdSource } from '../../lib/id.ts'
import { createLog } from '../../lib/log.ts'
import { givenStores } from '../support/engine-stores.ts'
import type { Actor } from '../support/interleaving.ts'

export const WINDOW_MS = 600_000
export const MAX = 3
export const LEASE_MS = 60_000

export interface SentEvent {
  number: number
  userId: string
  key: string
}

/** A message that a user received. */
export interface DigestMessage {
  userId: string
  numbers: number[]
  /** Number of the event that began the run. */
  by: number
}

export type GivenDigests = Awaited<ReturnType<typeof givenDigests>>

export async function givenDigests() {
  const clock = { at: Date.UTC(2026, 5, 1, 12), now: () => clock.at }
  const engine = await givenStores(clock)
  const { stores } = engine
  const source = () => createIdSource(clock)
  const ids = { event: source(), run: source(), message: source(), job: source() }
  const bus = createMemoryBus()
  const live = createLiveCampaigns({ ...stores, bus, clock })
  const sendPolicies = createSendPolicies({ sendRules: stores.sendRules, live })
  const makeCommitPlan = (commit: Commit) =>
    createCommitPlan({ ...stores, commit, bus, pollJobs: () => {}, scheduleTimers: () => {} })
  let last = 0

  async function readDigest(environment: Environment, { id, userId, eventId }: DeliveryRecord): Promise<DigestMessage> {
    const detail = await stores.deliveries.find(environment.id, id)
    const event = await stores.events.find(environment.id, eventId)
    const numbers = (detail?.snapshot.title ?? '').trim().split(' ').map(Number)
    return { userId, numbers, by: Number(event?.properties.n) }
  }

  const evaluator = createLocalEvaluator({ clock, ids })
  return {
    clock,
    stores,
    /** Creates an environment with a campaign whose messages list the digest's events. */
    async createEnvironment() {
      const environment = environmentOf(++last)
      const campaignId = 1000 + last
      await stores.environments.create(environment, [])
      await publish(stores, environment, campaignId, clock.at)
      return { environment, campaignId }
    },
    /** Sends an event under its own idempotency key, so that it can be repeated. */
    async send(actor: Actor | undefined, environment: Environment, { number, userId, key }: SentEvent): Promise<void> {
      const commit = actor?.wrap(stores.commit, ['track']) ?? stores.commit
      const planEvent = createPlanEvent({
        startRuns: createStartRuns(evaluator.begin),
        clock,
        ids,
        idempotencyKeptMs: 10 * 365 * 24 * 3_600_000,
      })
      const accept = createAcceptEvents({
        inHand: NO_MARKS,
        ...stores,
        live,
        activeTenants: { record() {} },
        recordDoubt() {},
        learnEvent() {},
        sendPolicies,
        planEvent,
        commitPlan: makeCommitPlan(commit),
      })
      const properties = { n: number, k: key }
      const event = { name: 'noise.made', userId, properties, idempotencyKey: `n${number}` }
      await accept.accept(environment, null, event, `c${number}`)
    },
    /** Claims and resumes due waits, like a worker. @returns their number */
    async work(actor: Actor | undefined, limit: number): Promise<number> {
      const waits = actor?.wrap(stores.waits, ['claim', 'release']) ?? stores.waits
      const commit = actor?.wrap(stores.commit, ['track']) ?? stores.commit
      const resumeRuns = createResumeRuns({
        inHand: NO_MARKS,
        ...stores,
        waits,
        enricherCalls: { call: () => Promise.reject(new Error('These campaigns have no enrich step.')) },
        digests: actor?.wrap(stores.digests, ['close']) ?? stores.digests,
        live,
        sendPolicies,
        pinned: createPinnedVersions(stores.campaigns),
        ...evaluator,
        endRun: createEndRun({ clock, ids }),
        commitPlan: makeCommitPlan(commit),
        scheduleTimers() {},
        clock,
        log: createLog('silent'),
      })
      const claimed = await waits.claim(clock.at, LEASE_MS, limit)
      await resumeRuns.resume(claimed)
      return claimed.length
    },
    /** Lists the messages that these users have received. */
    async listDigests(environment: Environment, userIds: string[]): Promise<DigestMessage[]> {
      const digests: DigestMessage[] = []
      for (const userId of userIds) {
        for (let before: number | null | undefined; before !== null; ) {
          const step = await stores.deliveries.step(
            environment.id,
            { userId, status: 'delivered' },
            before ?? null,
            500,
          )
          before = step.next
          for (const record of step.records) digests.push(await readDigest(environment, record))
        }
      }
      return digests
    },
    /** Returns the time of each event of the environment by number. */
    async listTimes(environment: Environment): Promise<Map<number, number>> {
      const events = (await stores.events.list(environment.id, {}, null, 1000)).events
      return new Map(events.map((event) => [Number(event.properties.n), event.occurredAt]))
    },
    /** Returns state and reason of each event's run by the event's number. */
    async listRuns(environment: Environment): Promise<Map<number, string[]>> {
      const byNumber = new Map<number, string[]>()
      const events = (await stores.events.list(environment.id, {}, null, 1000)).events
      const summaries = await stores.events.summarize(
        environment.id,
        events.map((event) => event.id),
        10,
      )
      for (const event of events) {
        const runs = summaries.get(event.id)?.runs ?? []
        const number = Number(event.properties.n)
        byNumber.set(number, [...(byNumber.get(number) ?? []), ...runs.map((run) => `${run.state} ${run.stateReason}`)])
      }
      return byNumber
    },
    async close() {
      live.close()
      await engine.close()
    },
  }
}

async function publish(stores: Stores, { id: environmentId }: Environment, id: number, now: number): Promise<void> {
  const draft = parseDefinition({
    key: `noise-${id}`,
    trigger: { event: 'noise.made' },
    steps: [
      { id: 'gather', type: 'digest', window: 'PT10M', key: '{{ event.properties.k }}', max: MAX },
      { id: 'tell', type: 'inbox', title: '{% for e in events %}{{ e.properties.n }} {% endfor %}' },
    ],
  })
  const campaign = {
    id,
    environmentId,
    key: draft.key,
    name: draft.name,
    category: null,
    draft,
    drains: false,
    resumedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  await stores.campaigns.insertOnce({ ...campaign, status: 'draft', currentVersion: null })
  const version = { campaignId: id, version: 1, publishedAt: now, definition: draft, awaits: [] }
  await stores.campaigns.save({ ...campaign, status: 'active', currentVersion: 1, revision: 0 }, version)
}

function environmentOf(id: number): Environment {
  const settings = { allowedOrigins: [], requireExpiringTokens: false, sdkKeyMayManage: true }
  const publishing = { requirePublishApproval: false, publishRole: 'editor' } as const
  const unset = { identityProvider: null, publicKey: null, disabledAt: null, notificationConfigId: null }
  return {
    id,
    organisationId: 1,
    name: `dev ${id}`,
    isProduction: false,
    ...settings,
    ...publishing,
    ...unset,
    createdAt: 0,
  }
}
