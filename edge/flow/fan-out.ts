// The job `fan-out`: an event with more than 50 recipients, chunk by chunk (contract section 3). Each chunk's plan completes its
// job and writes the next one in the same transaction, so a crash neither loses nor doubles anybody.

import { setImmediate } from 'node:timers/promises'
import type { Campaigns } from '../domain/campaign.ts'
import type { Environment } from '../domain/environment.ts'
import type { Job, NewJob } from '../domain/job.ts'
import { compileCampaign } from '../domain/steps/compiled-campaign.ts'
import type { Topics } from '../domain/topic.ts'
import { ERASED_USER_ID, type TrackedEvent, type TrackedEvents } from '../domain/tracked-event.ts'
import { EMPTY_PROFILE, type Users } from '../domain/user.ts'
import { type Clock, toIso } from '../lib/clock.ts'
import type { IdSource } from '../lib/id.ts'
import type { CommitPlan } from './tracking/commit-plan.ts'
import type { LiveCampaigns, LiveEntry } from './tracking/live-campaigns.ts'
import type { Neighbours } from './tracking/neighbours.ts'
import type { SendPolicies } from './tracking/send-policies.ts'
import { noRuns, readProfiles, type StartedRuns, type StartRuns } from './tracking/start-runs.ts'

export const FAN_OUT = 'fan-out'
/** Users of one chunk while its environment is alone here. */
const CHUNK_USERS = 500
/** While others are: what they wait for is one chunk, rendered and written (decision 0133). */
const SHORT_CHUNK_USERS = 20
/** Between short chunks the work rests twice as long as one took: two thirds of the writer's time are for the others. */
const RESTS = 2
const LONGEST_REST_MS = 1000
/** Users whose messages are rendered in one turn of the loop. */
const TURN_USERS = 50

export interface FanOutPayload {
  eventId: number
  /** The versions that were live when the event was accepted. */
  campaigns: { campaignId: number; version: number }[]
  /** How far the recipients are served: an index into the list, or a place in the topic. */
  after: number
}

export interface FanOutDeps {
  events: Pick<TrackedEvents, 'find'>
  topics: Pick<Topics, 'listSubscribers'>
  users: Pick<Users, 'findMany'>
  campaigns: Pick<Campaigns, 'findVersion'>
  findEnvironment(id: number): Promise<Environment | undefined>
  live: Pick<LiveCampaigns, 'load'>
  neighbours: Pick<Neighbours, 'hasOthers'>
  sendPolicies: Pick<SendPolicies, 'give'>
  startRuns: StartRuns
  commitPlan: CommitPlan
  ids: { job: IdSource }
  clock: Clock
}

/** Handles one chunk. `complete`: there is nothing (more) to write, the worker ends the job by itself. */
export function createFanOut(deps: FanOutDeps): (job: Job) => Promise<'complete' | undefined> {
  /** How long the latest chunk took, its commit included. */
  let tookMs = 0
  return async function fanOut(job) {
    const begunAt = deps.clock.now()
    const payload = JSON.parse(job.payload) as FanOutPayload
    const event = await deps.events.find(job.environmentId, payload.eventId)
    const environment = await deps.findEnvironment(job.environmentId)
    // Erased meanwhile: nobody is left to tell.
    if (event === undefined || environment === undefined) return 'complete'
    const entries = await findEntries(deps, job.environmentId, payload)
    const isBeside = deps.neighbours.hasOthers(environment.id)
    const most = isBeside ? SHORT_CHUNK_USERS : CHUNK_USERS
    const chunk = await readChunk(deps, event, payload.after, most)
    const { awaited } = await deps.live.load(job.environmentId)
    const isAwaited = awaited.has(event.name)
    if ((entries.length === 0 && !isAwaited) || (chunk.userIds.length === 0 && chunk.next === null)) return 'complete'
    const started = await startChunk(deps, environment, event, entries, chunk.userIds)
    const now = deps.clock.now()
    const goesOnAt = now + (isBeside ? Math.min(RESTS * tookMs, LONGEST_REST_MS) : 0)
    await deps.commitPlan({
      kind: 'track',
      environmentId: job.environmentId,
      secretId: null,
      now,
      event: null,
      idempotency: null,
      profile: null,
      runs: started.runs,
      messages: started.messages,
      gates: started.gates,
      jobs: chunk.next === null ? [] : [nextJob(deps, job, { ...payload, after: chunk.next }, now, goesOnAt)],
      waits: started.waits,
      ...(isAwaited && { waking: { eventId: event.id, name: event.name, userIds: chunk.userIds } }),
      completes: { id: job.id, fence: job.fence },
      continues: null,
    })
    tookMs = Math.max(0, deps.clock.now() - begunAt)
    return undefined
  }
}

/** The pinned versions of campaigns that are still active: one that was paused or archived meanwhile begins no more runs. */
async function findEntries(deps: FanOutDeps, environmentId: number, payload: FanOutPayload): Promise<LiveEntry[]> {
  const live = await deps.live.load(environmentId)
  const entries: LiveEntry[] = []
  for (const { campaignId, version } of payload.campaigns) {
    const entry = live.byId.get(campaignId)
    if (entry === undefined || entry.compiled === null) continue
    if (entry.version === version) entries.push(entry)
    else {
      const pinned = await deps.campaigns.findVersion(campaignId, version)
      if (pinned === undefined) continue
      const compiled = compileCampaign({ campaign: entry.campaign, version, definition: pinned.definition })
      entries.push({ ...entry, version, compiled })
    }
  }
  return entries
}

async function readChunk(
  deps: FanOutDeps,
  event: TrackedEvent,
  after: number,
  most: number,
): Promise<{ userIds: string[]; next: number | null }> {
  if (event.topic === null) {
    return readListed(event.userIds ?? [], after, most)
  }
  const page = await deps.topics.listSubscribers(event.environmentId, event.topic, after, most)
  const last = page.at(-1)
  return {
    userIds: page.map((subscriber) => subscriber.userId),
    next: page.length === most && last !== undefined ? last.place : null,
  }
}

/** Places count in the list as it was sent: who is erased meanwhile leaves the place, and shifts nobody. */
function readListed(all: readonly string[], after: number, most: number): { userIds: string[]; next: number | null } {
  const end = after + most
  const before = new Set(all.slice(0, after)).add(ERASED_USER_ID)
  const chunk = new Set(all.slice(after, end).filter((userId) => !before.has(userId)))
  return { userIds: [...chunk], next: end < all.length ? end : null }
}

async function startChunk(
  deps: FanOutDeps,
  environment: Environment,
  event: TrackedEvent,
  entries: LiveEntry[],
  userIds: string[],
): Promise<StartedRuns> {
  const { id: eventId, name, properties, correlationId } = event
  const start = { environment, entries, eventId, name, properties, occurredAt: toIso(event.occurredAt), correlationId }
  const live = await deps.live.load(environment.id)
  const users = readProfiles(entries) ? await deps.users.findMany(environment.id, userIds) : undefined
  const recipients = userIds.map((userId) => {
    return { userId, profile: users?.get(userId) ?? EMPTY_PROFILE, policy: live.policyOfAll }
  })
  await deps.sendPolicies.give(environment.id, live, recipients)
  const started = noRuns()
  for (let i = 0; i < recipients.length; i += TURN_USERS) {
    deps.startRuns(start, recipients.slice(i, i + TURN_USERS), started)
    await setImmediate()
  }
  return started
}

function nextJob(deps: FanOutDeps, job: Job, payload: FanOutPayload, now: number, runAt: number): NewJob {
  return {
    id: deps.ids.job.next(),
    environmentId: job.environmentId,
    kind: FAN_OUT,
    payload: JSON.stringify(payload),
    runAt,
    createdAt: now,
  }
}
