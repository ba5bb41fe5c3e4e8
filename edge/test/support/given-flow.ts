// Sets up the flows from a tracked event to a real SQLite store, without HTTP.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEndRun } from '../../campaign/end-run.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Enrichers } from '../../domain/enricher.ts'
import type { Environment } from '../../domain/environment.ts'
import { NO_MARKS } from '../../domain/in-hand.ts'
import type { Stores } from '../../domain/stores.ts'
import { createCancelRuns } from '../../flow/campaigns/cancel-runs.ts'
import { type ChangeCampaign, createChangeCampaign } from '../../flow/campaigns/change-campaign.ts'
import { createCheckDraft } from '../../flow/campaigns/check-draft.ts'
import { createFindMissingEnrichers } from '../../flow/campaigns/find-missing-enrichers.ts'
import { createReadFunnel } from '../../flow/campaigns/read-funnel.ts'
import { createTryCampaign } from '../../flow/campaigns/try-campaign.ts'
import { createCommitPlan } from '../../flow/commit.ts'
import { createWarnPaths } from '../../flow/event-names/warn-paths.ts'
import { createReadEvents } from '../../flow/history/read-events.ts'
import { createReadHistory } from '../../flow/history/read-history.ts'
import { createCheckSenders } from '../../flow/mail/check-senders.ts'
import { createPinnedVersions } from '../../flow/resume/pinned-versions.ts'
import { createReleaseWaits, RELEASE_WAITS } from '../../flow/resume/release-waits.ts'
import { createResumeRuns } from '../../flow/resume/resume-runs.ts'
import { createCheckConfig } from '../../flow/tenant/notification-configs.ts'
import { createChooseTexts } from '../../flow/texts/choose-texts.ts'
import { createAcceptEvents } from '../../flow/track/accept-events.ts'
import { createActiveTenants } from '../../flow/track/active-tenants.ts'
import { createFanOut, FAN_OUT } from '../../flow/track/fan-out.ts'
import { createLiveCampaigns } from '../../flow/track/live-campaigns.ts'
import { createPlanEvent, type TrackInput } from '../../flow/track/plan-event.ts'
import { createSendPolicies } from '../../flow/track/send-policies.ts'
import { createStartRuns } from '../../flow/track/start-runs.ts'
import { createIdSource, parseId } from '../../lib/id.ts'
import { createEvaluator } from '../../sandbox/evaluator.ts'
import { openSqliteStores } from '../../stores/sqlite/stores.ts'
import { DRAFT } from './draft-environment.ts'
import { oneSandbox } from './one-sandbox.ts'
import { prepareEmptyStore } from './prepared-folders.ts'
import { createRecordingBus } from './recording-bus.ts'

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

/** Fills in the author of a change made by a test. */
function withAuthor(change: ChangeCampaign) {
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
  /** Enrichers of given-enrichers.ts, for campaigns that call any. */
  enrichers?: Pick<Enrichers, 'call' | 'findCached'>
  /** Limits the time of events and chunks, as a server does. Without it a busy machine changes no count. */
  isTimed?: boolean
}

const UNLIMITED_MS = 3_600_000

const NO_ENRICHERS: Required<FlowOptions>['enrichers'] = {
  call: () => Promise.reject(new Error('This test has no enrichers.')),
  findCached: () => undefined,
}

/** Creates the flows. Set `clock.at` to change the time; `close` removes everything. */
export async function givenFlow({ enrichers = NO_ENRICHERS, isTimed = false }: FlowOptions = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'flow-test-'))
  const clock = { at: Date.UTC(2026, 4, 1, 12), now: () => clock.at }
  await prepareEmptyStore(dataDir)
  const stores = await openSqliteStores({ dataDir, clock })
  const environment = await seed(stores, clock.at)
  const bus = createRecordingBus()
  const source = () => createIdSource(clock)
  const ids = { event: source(), run: source(), message: source(), job: source(), campaign: source() }
  const jobs = { polls: 0 }
  const live = createLiveCampaigns({ ...stores, bus, clock })
  const sendPolicies = createSendPolicies({ sendRules: stores.sendRules, live })
  const activeTenants = createActiveTenants(clock)
  const { findCached } = enrichers
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const evaluator = createEvaluator({ clock, ids, findCached }, oneSandbox())
  const startRuns = createStartRuns(evaluator.begin, isTimed ? undefined : UNLIMITED_MS)
  const commitPlan = createCommitPlan({
    ...stores,
    bus,
    scheduleTimers: () => {},
    pollJobs: () => {
      jobs.polls++
    },
  })
  const planEvent = createPlanEvent({ startRuns, clock, ids, idempotencyKeptMs: 24 * 60 * 60 * 1000 })
  const accept = createAcceptEvents({
    live,
    users: stores.users,
    topics: stores.topics,
    inHand: NO_MARKS,
    sendPolicies,
    activeTenants,
    planEvent,
    commitPlan,
    recordDoubt() {},
    learnEvent() {},
  })
  const fanOut = createFanOut({
    ...(!isTimed && { chunkMs: UNLIMITED_MS }),
    inHand: NO_MARKS,
    ...stores,
    findEnvironment: (id) => stores.environments.find(id),
    live,
    sendPolicies,
    activeTenants,
    startRuns,
    commitPlan,
    ids,
    clock,
  })
  const checkConfig = createCheckConfig(stores)
  const checkDraft = createCheckDraft({
    chooseTexts: createChooseTexts(stores),
    findMissingEnrichers: createFindMissingEnrichers(stores),
    warnPaths: createWarnPaths(stores),
    checkDefinition: evaluator.check,
    findLinkFaults: evaluator.findLinkFaults,
    environments: stores.environments,
    checkConfig,
    checkSenders: createCheckSenders(stores),
  })
  const change = withAuthor(
    createChangeCampaign({
      checkDraft,
      campaigns: stores.campaigns,
      audit: stores.audit,
      bus,
      clock,
      ids,
      pollJobs: () => {},
    }),
  )
  const endRun = createEndRun({ clock, ids })
  const pinned = createPinnedVersions(stores.campaigns)
  const resumeRuns = createResumeRuns({
    inHand: NO_MARKS,
    ...stores,
    enricherCalls: enrichers,
    live,
    sendPolicies,
    pinned,
    ...evaluator,
    endRun,
    commitPlan,
    scheduleTimers: () => {},
    clock,
    log,
  })
  const releaseWaits = createReleaseWaits({ waits: stores.waits, scheduleTimers: () => {}, clock })
  const flow = {
    clock,
    stores,
    environment,
    bus,
    jobs,
    live,
    activeTenants,
    accept,
    fanOut,
    resume: resumeRuns.resume,
    underWay: resumeRuns.underWay,
    cancelRuns: createCancelRuns({ ...stores, ...evaluator, live, sendPolicies, pinned, endRun, commitPlan, clock })
      .cancel,
    /** Advances the time by `ms` and resumes waits until none is due. @returns the number of resumed waits */
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
    /** Runs the jobs of campaign changes and resumes the waits that they make due. */
    async settle(): Promise<void> {
      for (const job of await stores.jobs.claim(clock.at, 60_000, 10, [RELEASE_WAITS])) {
        if (job.kind === RELEASE_WAITS && (await releaseWaits(job)) === 'complete') await stores.jobs.complete(job)
      }
      await flow.pass(0)
    },
    change,
    tryOut: createTryCampaign({
      chooseTexts: createChooseTexts(stores),
      checkDraft,
      campaigns: stores.campaigns,
      environments: stores.environments,
      users: stores.users,
      sendPolicies,
      live,
      evaluator,
      commitPlan,
      clock,
      ids,
    }),
    readEvents: createReadEvents(stores),
    readFunnel: createReadFunnel({ campaigns: stores.campaigns, funnels: stores.funnels, clock }),
    track: (input: TrackInput, correlationId = 'c-1') => accept.accept(environment, SECRET_ID, input, correlationId),
    trackBatch: (inputs: TrackInput[], correlationId = 'c-1') =>
      accept.acceptBatch(environment, SECRET_ID, inputs, correlationId),
    /** Creates and publishes a campaign. @returns its wire id */
    async publish(definition: Record<string, unknown>): Promise<string> {
      const { id } = await change.create(environment.id, definition)
      await change.publish(environment.id, id)
      return id
    },
    /** Returns the stored event with its runs. */
    event: async (eventId: string) => flow.readEvents.get(environment.id, eventId),
    /** Marks a message as read by the user. */
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
    /** Returns status and reason of a user's records, newest first. */
    async statuses(userId: string): Promise<[string, string | null][]> {
      const { data } = await createReadHistory({ ...stores, clock }).list(environment.id, {
        userId,
        limit: 100,
      })
      return data.map(({ status, statusReason }) => [status, statusReason])
    },
    /** Returns the titles in a user's inbox, newest first. */
    async titles(userId: string): Promise<string[]> {
      const user = await stores.users.find(environment.id, userId)
      if (user === undefined) return []
      const { environmentId, userNo } = user
      const position = { environmentId, userNo, filter: 'all', category: null, before: null, limit: 100 } as const
      const { messages } = await stores.inboxes.page({ ...position, now: clock.at })
      return messages.map((message) => message.content.title)
    },
    /** Runs due jobs until none is left. @returns their number */
    async work(): Promise<number> {
      for (let done = 0; ; ) {
        const claimed = await stores.jobs.claim(clock.at, 60_000, 10, [FAN_OUT, RELEASE_WAITS])
        if (claimed.length === 0) return done
        for (const job of claimed) {
          if (job.kind === FAN_OUT && (await fanOut(job)) === 'complete') {
            await stores.jobs.complete(job)
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

/** Returns a campaign of one inbox step. */
export function messageCampaign(key: string, event: string, extra: Record<string, unknown> = {}) {
  return {
    key,
    name: `Campaign ${key}`,
    trigger: { event },
    steps: [{ id: 'tell', type: 'inbox', title: `${key} {{ event.properties.n }}` }],
    ...extra,
  }
}
