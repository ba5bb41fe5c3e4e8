// The job `fan-out`: an event with many recipients or runs, chunk by chunk. Each chunk's plan completes its job and writes the
// next one in the same transaction, so a crash neither loses nor doubles anybody.

import { compileCampaign } from '../../campaign/compile.ts'
import type { Campaigns } from '../../domain/campaign.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Job, NewJob } from '../../domain/job.ts'
import type { Arrivals } from '../../domain/run/arrival.ts'
import type { Topics } from '../../domain/topic.ts'
import { ERASED_USER_ID, type TrackedEvent, type TrackedEvents } from '../../domain/tracked-event.ts'
import { EMPTY_PROFILE, type Users, withDefaults } from '../../domain/user.ts'
import { type Clock, toIso } from '../../lib/clock.ts'
import type { IdSource } from '../../lib/id.ts'
import type { CommitPlan } from '../commit.ts'
import type { ActiveTenants } from './active-tenants.ts'
import type { LiveCampaigns, LiveEntry } from './live-campaigns.ts'
import { createLoopTurns } from './loop-turns.ts'
import type { SendPolicies } from './send-policies.ts'
import { noRuns, type Recipient, readProfiles, type StartedRuns, type StartRuns } from './start-runs.ts'

export const FAN_OUT = 'fan-out'
/** Runs that one chunk considers, one for each user and campaign, and wakes, while its environment is alone here; and its messages at most. */
const CHUNK_RUNS = 500
/** While others are: what they wait for is one chunk, rendered and written (docs/decisions/0020-fair-claims.md). */
const SHORT_CHUNK_RUNS = 20
/** Bound the chunk of campaigns whose messages are long, or slow to render. */
const CHUNK_BYTES = 1024 * 1024
const CHUNK_MS = 250
/** Campaigns of a user that are started together, before others have their turn. */
const SLICE_CAMPAIGNS = 10
/** Between short chunks the work rests twice as long as one took: two thirds of the writer's time are for the others. */
const RESTS = 2
const LONGEST_REST_MS = 1000

export interface FanOutPayload {
  eventId: number
  /** The versions that were live when the event was accepted. */
  campaigns: { campaignId: number; version: number }[]
  /** How far the recipients are served: an index into the list, or a place in the topic. */
  after: number
  /** The recipient at that place has had the first so many of the campaigns. */
  partly?: { place: number; campaigns: number }
}

/** `place`: in the list of the payload, whichever of them are active still. */
type PinnedEntry = LiveEntry & { place: number }

interface RecipientPage {
  recipients: { userId: string; place: number }[]
  /** `after` of the page behind it. */
  next: number | null
  /** Added to a recipient's place: the `after` whose page begins with that recipient. */
  at: number
}

interface ChunkStart {
  environment: Environment
  event: TrackedEvent
  entries: PinnedEntry[]
  page: RecipientPage
  partly: FanOutPayload['partly']
  /** How many runs of each user wait for the event. */
  waiting: ReadonlyMap<string, number>
  most(): number
}

interface Chunk {
  started: StartedRuns
  /** Who had none of the campaigns before. */
  begun: string[]
  /** How many runs of theirs wait for the event. */
  woken: number
  next: Pick<FanOutPayload, 'after' | 'partly'> | null
}

export interface FanOutDeps {
  events: Pick<TrackedEvents, 'find'>
  topics: Pick<Topics, 'listSubscribers'>
  users: Pick<Users, 'findMany'>
  arrivals: Pick<Arrivals, 'countWaiting'>
  campaigns: Pick<Campaigns, 'findVersion'>
  findEnvironment(id: number): Promise<Environment | undefined>
  live: Pick<LiveCampaigns, 'load'>
  activeTenants: Pick<ActiveTenants, 'hasOthers'>
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
    const most = () => (deps.activeTenants.hasOthers(environment.id) ? SHORT_CHUNK_RUNS : CHUNK_RUNS)
    const isBeside = most() === SHORT_CHUNK_RUNS
    const page = await readRecipients(deps, event, payload, Math.ceil(most() / Math.max(1, entries.length)))
    const { awaited } = await deps.live.load(job.environmentId)
    const isAwaited = awaited.has(event.name)
    if ((entries.length === 0 && !isAwaited) || (page.recipients.length === 0 && page.next === null)) return 'complete'
    const waiting = isAwaited ? await countWaiting(deps, event, page) : new Map<string, number>()
    const chunk = await startChunk(deps, { environment, event, entries, page, partly: payload.partly, waiting, most })
    const { started } = chunk
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
      jobs: chunk.next === null ? [] : [nextJob(deps, job, { ...payload, ...chunk.next }, now, goesOnAt)],
      waits: started.waits,
      ...(isAwaited && {
        awaitedEvent: { eventId: event.id, name: event.name, userIds: chunk.begun, runs: chunk.woken },
      }),
      completes: { id: job.id, fence: job.fence },
      continues: null,
    })
    tookMs = Math.max(0, deps.clock.now() - begunAt)
    return undefined
  }
}

/** The pinned versions of campaigns that are still active: one that was paused or archived meanwhile begins no more runs. */
async function findEntries(deps: FanOutDeps, environmentId: number, payload: FanOutPayload): Promise<PinnedEntry[]> {
  const live = await deps.live.load(environmentId)
  const entries: PinnedEntry[] = []
  for (const [place, { campaignId, version }] of payload.campaigns.entries()) {
    const entry = live.byId.get(campaignId)
    if (entry === undefined || entry.compiled === null) continue
    if (entry.version === version) entries.push({ ...entry, place })
    else {
      const pinned = await deps.campaigns.findVersion(campaignId, version)
      if (pinned === undefined) continue
      const compiled = compileCampaign({ campaign: entry.campaign, version, definition: pinned.definition })
      entries.push({ ...entry, version, compiled, place })
    }
  }
  return entries
}

async function readRecipients(
  deps: FanOutDeps,
  event: TrackedEvent,
  { after }: FanOutPayload,
  most: number,
): Promise<RecipientPage> {
  if (event.topic === null) return readListed(event.userIds ?? [], after, most)
  const recipients = await deps.topics.listSubscribers(event.environmentId, event.topic, after, most)
  const last = recipients.at(-1)
  return { recipients, next: recipients.length === most && last !== undefined ? last.place : null, at: ABOVE_PLACE }
}

/** `after` of a topic names the place before the next one, `after` of a list the next one itself. */
const ABOVE_PLACE = -1

/** Places count in the list as it was sent: who is erased meanwhile leaves the place, and shifts nobody. */
function readListed(all: readonly string[], after: number, most: number): RecipientPage {
  const end = after + most
  const seen = new Set(all.slice(0, after)).add(ERASED_USER_ID)
  const recipients: RecipientPage['recipients'] = []
  for (const [index, userId] of all.slice(after, end).entries()) {
    if (!seen.has(userId)) recipients.push({ userId, place: after + index })
    seen.add(userId)
  }
  return { recipients, next: end < all.length ? end : null, at: 0 }
}

/** Starts runs until the chunk is full, wherever that is among the campaigns of a user. */
async function startChunk(deps: FanOutDeps, chunk: ChunkStart): Promise<Chunk> {
  const { environment, event, entries, page, partly, waiting } = chunk
  const { id: eventId, name, properties, correlationId } = event
  const start = { environment, eventId, name, properties, occurredAt: toIso(event.occurredAt), correlationId }
  const recipients = await readChunk(deps, chunk)
  const started = noRuns()
  const begun: string[] = []
  let woken = 0
  const room = createRoom(started, chunk.most)
  for (const { place, ...recipient } of recipients) {
    const after = place + page.at
    const isBegun = partly?.place === place
    const wakes = isBegun ? 0 : (waiting.get(recipient.userId) ?? 0)
    if (!room.has(wakes)) return { started, begun, woken, next: { after, partly: undefined } }
    if (!isBegun) begun.push(recipient.userId)
    room.wake(wakes)
    woken += wakes
    let rest = isBegun ? entries.filter((entry) => entry.place >= partly.campaigns) : entries
    for (let [first] = rest; first !== undefined; [first] = rest) {
      const count = Math.min(SLICE_CAMPAIGNS, rest.length, room.left())
      if (count === 0) return { started, begun, woken, next: { after, partly: { place, campaigns: first.place } } }
      deps.startRuns({ ...start, entries: rest.slice(0, count) }, [recipient], started)
      rest = rest.slice(count)
      await room.take(count)
    }
  }
  return { started, begun, woken, next: page.next === null ? null : { after: page.next, partly: undefined } }
}

async function readChunk(
  deps: FanOutDeps,
  { environment, entries, page }: ChunkStart,
): Promise<(Recipient & { place: number })[]> {
  const live = await deps.live.load(environment.id)
  const userIds = page.recipients.map(({ userId }) => userId)
  const users = readProfiles(entries) ? await deps.users.findMany(environment.id, userIds) : undefined
  const recipients = page.recipients.map(({ userId, place }) => {
    const profile = withDefaults(users?.get(userId) ?? EMPTY_PROFILE, live.defaults)
    return { userId, place, profile, policy: live.policyOfAll }
  })
  await deps.sendPolicies.give(environment.id, live, recipients)
  return recipients
}

/** Counts what a chunk has taken on, and lets others have the loop in between. */
function createRoom(started: StartedRuns, most: () => number) {
  let runs = 0
  let woken = 0
  let bytes = 0
  let counted = 0
  let workedMs = 0
  const endSlice = createLoopTurns()
  function left(): number {
    if (bytes >= CHUNK_BYTES || workedMs >= CHUNK_MS) return 0
    return Math.max(0, most() - woken - Math.max(runs, started.messages.length))
  }
  return {
    /** How many runs it still has room for. */
    left,
    /** Whether a user has room whose event wakes so many runs: one with more than a chunk may take is a chunk alone. */
    has: (wakes: number) => left() > 0 && (wakes <= left() || woken + runs === 0),
    wake(count: number): void {
      woken += count
    },
    async take(count: number): Promise<void> {
      runs += count
      for (; counted < started.messages.length; counted++) bytes += started.messages[counted]?.snapshot.length ?? 0
      workedMs += await endSlice()
    },
  }
}

function countWaiting({ arrivals }: FanOutDeps, { environmentId, name }: TrackedEvent, page: RecipientPage) {
  const userIds = page.recipients.map(({ userId }) => userId)
  return arrivals.countWaiting(environmentId, name, userIds)
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
