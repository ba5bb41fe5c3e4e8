// The flows from a tracked event to the store, over a real SQLite store in a folder of its own, without HTTP: for tests of flows.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Enrichers } from '../../domain/enricher.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Stores } from '../../domain/stores.ts'
import { createAcceptEvents, type TrackInput } from '../../flow/accept-events.ts'
import { createCancelRuns } from '../../flow/campaigns/cancel-runs.ts'
import { type ChangeCampaign, createChangeCampaign } from '../../flow/change-campaign.ts'
import { createFanOut, FAN_OUT } from '../../flow/fan-out.ts'
import { createReadEvents } from '../../flow/read-events.ts'
import { createReadFunnel } from '../../flow/read-funnel.ts'
import { createReadHistory } from '../../flow/read-history.ts'
import { createContinueRun } from '../../flow/run/continue-run.ts'
import { createEndRun } from '../../flow/run/end-run.ts'
import { createPinnedVersions } from '../../flow/run/pinned-versions.ts'
import { createResumeRuns } from '../../flow/run/resume-runs.ts'
import { createRouseWaits, ROUSE_WAITS } from '../../flow/run/rouse-waits.ts'
import { createRunThrough } from '../../flow/run/run-through.ts'
import { createRunCampaign } from '../../flow/run-campaign.ts'
import { createCheckConfig } from '../../flow/tenant/notification-configs.ts'
import { createCommitPlan } from '../../flow/tracking/commit-plan.ts'
import { createLiveCampaigns } from '../../flow/tracking/live-campaigns.ts'
import { createNeighbours } from '../../flow/tracking/neighbours.ts'
import { createPlanEvent } from '../../flow/tracking/plan-event.ts'
import { createSendPolicies } from '../../flow/tracking/send-policies.ts'
import { createStartRuns } from '../../flow/tracking/start-runs.ts'
import { createTryCampaign } from '../../flow/try-campaign.ts'
import { createIdSource, parseId } from '../../lib/id.ts'
import { openSqliteStores } from '../../stores/sqlite.ts'
import { DRAFT } from './draft-environment.ts'
import { createListeningBus } from './listening-bus.ts'

export const SECRET_ID = 1

export type GivenFlow = Awaited<ReturnType<typeof givenFlow>>

async function seed(stores: Stores, now: number): Promise<Environment> {
  const organisation = { id: 1, name: 'Test', region: 'eu', onboardedAt: now, retentionDays: 90, createdAt: now }
  await stores.organisations.create(organisation)
  const environment: Environment = {
    ...DRAFT,
    id: 7,
    organisationId: organisation.id,
    createdAt: now,
  }
  await stores.environments.create(environment, [])
  const secret = { id: SECRET_ID, environmentId: 7, kind: 'sdkSecretKey', hash: 'a'.repeat(64) } as const
  const times = { createdAt: now, retiresAt: null, lastUsedAt: null }
  await stores.secrets.create({ ...secret, plain: null, sealed: null, ...times })
  return environment
}

/** Changes made by a test need not say by whom. */
function byTest(change: ChangeCampaign) {
  const by = { actor: 'api', who: 'test' } as const
  const act =
    (verb: 'publish' | 'pause' | 'resume' | 'archive') =>
    (environmentId: number, id: string, who: ChangedBy = by) =>
      change[verb](environmentId, id, who)
  return {
    ...change,
    create: (environmentId: number, definition: unknown, who: ChangedBy = by) =>
      change.create(environmentId, definition, who),
    putDraft: (environmentId: number, id: string, definition: unknown, who: ChangedBy = by) =>
      change.putDraft(environmentId, id, definition, who),
    publish: act('publish'),
    pause: act('pause'),
    resume: act('resume'),
    archive: (environmentId: number, id: string, who: ChangedBy = by, drains = false) =>
      change.archive(environmentId, id, who, drains),
  }
}

export interface FlowOptions {
  /** Those of given-enrichers.ts, for campaigns that ask any. */
  enrichers?: Pick<Enrichers, 'call' | 'findCached'>
}

const NO_ENRICHERS: Required<FlowOptions>['enrichers'] = {
  call: () => Promise.reject(new Error('This test has no enrichers.')),
  findCached: () => undefined,
}

/** Give `clock.at` a value to move the time; `close` removes everything. */
export async function givenFlow({ enrichers = NO_ENRICHERS }: FlowOptions = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'flow-test-'))
  const clock = { at: Date.UTC(2026, 4, 1, 12), now: () => clock.at }
  const stores = await openSqliteStores({ dataDir, clock })
  const environment = await seed(stores, clock.at)
  const bus = createListeningBus()
  const source = () => createIdSource(clock)
  const ids = { event: source(), run: source(), message: source(), job: source(), campaign: source() }
  const jobs = { woken: 0 }
  const live = createLiveCampaigns({ ...stores, bus, clock })
  const sendPolicies = createSendPolicies({ sendRules: stores.sendRules, live })
  const neighbours = createNeighbours(clock)
  const { findCached } = enrichers
  const runCampaign = createRunCampaign({ clock, ids, findCached })
  const startRuns = createStartRuns(runCampaign)
  const continueRun = createContinueRun({ clock, ids, findCached })
  const commitPlan = createCommitPlan({
    commit: stores.commit,
    bus,
    wakeTimers: () => {},
    wakeJobs: () => {
      jobs.woken++
    },
  })
  const planEvent = createPlanEvent({ startRuns, clock, ids, idempotencyKeptMs: 24 * 60 * 60 * 1000 })
  const accept = createAcceptEvents({
    live,
    users: stores.users,
    topics: stores.topics,
    sendPolicies,
    neighbours,
    planEvent,
    commitPlan,
  })
  const fanOut = createFanOut({
    ...stores,
    findEnvironment: (id) => stores.environments.find(id),
    live,
    sendPolicies,
    neighbours,
    startRuns,
    commitPlan,
    ids,
    clock,
  })
  const checkConfig = createCheckConfig(stores)
  const change = byTest(
    createChangeCampaign({ campaigns: stores.campaigns, checkConfig, bus, clock, ids, wakeJobs: () => {} }),
  )
  const endRun = createEndRun({ clock, ids })
  const pinned = createPinnedVersions(stores.campaigns)
  const resumeRuns = createResumeRuns({
    ...stores,
    enrichers,
    sendPolicies,
    pinned,
    continueRun,
    endRun,
    commitPlan,
    wakeTimers: () => {},
    clock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  const rouseWaits = createRouseWaits({ waits: stores.waits, wakeTimers: () => {}, clock })
  const flow = {
    clock,
    stores,
    environment,
    bus,
    jobs,
    live,
    neighbours,
    accept,
    fanOut,
    resume: resumeRuns.resume,
    underWay: resumeRuns.underWay,
    cancelRuns: createCancelRuns({ ...stores, sendPolicies, pinned, endRun, commitPlan, clock }).cancel,
    /** Moves the time and carries on what is due then, and what that makes due; answers how many waits that were. */
    async pass(ms: number): Promise<number> {
      clock.at += ms
      let count = 0
      for (;;) {
        const claimed = await stores.waits.claim(clock.at, 60_000, 500)
        if (claimed.length === 0) return count
        count += claimed.length
        await resumeRuns.resume(claimed)
        await resumeRuns.settled()
      }
    },
    /** Does the jobs that changes of campaigns leave behind, and carries on what they make due. */
    async settle(): Promise<void> {
      for (const job of await stores.jobs.claim(clock.at, 60_000, 10, [ROUSE_WAITS])) {
        if (job.kind === ROUSE_WAITS && (await rouseWaits(job)) === 'complete') await stores.jobs.complete(job)
      }
      await flow.pass(0)
    },
    change,
    tryOut: createTryCampaign({
      campaigns: stores.campaigns,
      users: stores.users,
      sendPolicies,
      runThrough: createRunThrough(runCampaign, continueRun),
      commitPlan,
      clock,
      ids,
    }),
    readEvents: createReadEvents({ events: stores.events }),
    readFunnel: createReadFunnel({ campaigns: stores.campaigns, funnels: stores.funnels, clock }),
    track: (input: TrackInput, correlationId = 'c-1') => accept.accept(environment, SECRET_ID, input, correlationId),
    trackBatch: (inputs: TrackInput[], correlationId = 'c-1') =>
      accept.acceptBatch(environment, SECRET_ID, inputs, correlationId),
    /** Creates and publishes; answers the campaign's wire id. */
    async publish(definition: Record<string, unknown>): Promise<string> {
      const { id } = await change.create(environment.id, definition)
      await change.publish(environment.id, id)
      return id
    },
    /** What became of an event. */
    event: async (eventId: string) => flow.readEvents.get(environment.id, eventId),
    /** The user reads a message. */
    async read(userId: string, messageId: string): Promise<void> {
      const user = await stores.users.find(environment.id, userId)
      const id = parseId('message', messageId)
      if (user === undefined || id === undefined) throw new Error('No such message.')
      const item = {
        messageId: id,
        eventType: 'read',
        occurredAt: clock.at,
        automated: false,
        source: 'test',
        link: null,
      } as const
      await stores.commit.deliver({
        kind: 'deliver',
        environmentId: environment.id,
        userNo: user.userNo,
        now: clock.at,
        items: [item],
      })
    },
    /** Status and its reason of a user's records, newest first. */
    async statuses(userId: string): Promise<[string, string | null][]> {
      const { data } = await createReadHistory({ deliveries: stores.deliveries, clock }).list(environment.id, {
        userId,
        limit: 100,
      })
      return data.map(({ status, statusReason }) => [status, statusReason])
    },
    /** The titles in a user's inbox, newest first. */
    async titles(userId: string): Promise<string[]> {
      const user = await stores.users.find(environment.id, userId)
      if (user === undefined) return []
      const position = { userNo: user.userNo, filter: 'all', category: null, before: null, limit: 100 } as const
      const { messages } = await stores.inboxes.page({ ...position, now: clock.at })
      return messages.map((message) => message.content.title)
    },
    /** Runs the jobs that are due until none is left; answers how many there were. */
    async work(): Promise<number> {
      for (let done = 0; ; ) {
        const claimed = await stores.jobs.claim(clock.at, 60_000, 10, [FAN_OUT, ROUSE_WAITS])
        if (claimed.length === 0) return done
        for (const job of claimed) {
          if (job.kind === FAN_OUT && (await fanOut(job)) === 'complete') {
            await stores.jobs.complete({ id: job.id, fence: job.fence })
          }
          done++
        }
      }
    },
    async close(): Promise<void> {
      live.close()
      await stores.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return flow
}

/** A campaign of one inbox step. */
export function tellCampaign(key: string, event: string, extra: Record<string, unknown> = {}) {
  return {
    key,
    name: `Campaign ${key}`,
    trigger: { event },
    steps: [{ id: 'tell', type: 'inbox', title: `${key} {{ event.properties.n }}` }],
    ...extra,
  }
}
