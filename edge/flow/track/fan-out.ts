// Runs the job `fan-out`, which serves an event with many recipients or runs chunk by chunk. The plan of a chunk completes its
// job and writes the next one in one transaction: a crash neither loses nor repeats a recipient.

import { compileCampaign } from '../../campaign/compile.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import { evaluateMarked, markOfJob, readMarked } from '../../domain/in-hand.ts'
import type { Job, NewJob } from '../../domain/job.ts'
import { createProfileRoom, HELD_BYTES } from '../../domain/profile-room.ts'
import { ERASED_USER_ID, type TrackedEvent } from '../../domain/tracked-event.ts'
import { EMPTY_PROFILE, type MayRead, withDefaults } from '../../domain/user.ts'
import { toIso } from '../../lib/clock.ts'
import type { IdSource } from '../../lib/id.ts'
import type { ActiveTenants } from './active-tenants.ts'
import { CHUNK_MS, CHUNK_RUNS, createChunkLimit, SHORT_CHUNK_RUNS } from './chunk-limit.ts'
import type { LiveCampaigns, LiveEntry } from './live-campaigns.ts'
import type { SendPolicies } from './send-policies.ts'
import { noRuns, type Recipient, readProfiles, type StartedRuns, type StartRuns } from './start-runs.ts'

export const FAN_OUT = 'fan-out'
/** Campaigns of a user that are started together, before other work runs. */
const SLICE_CAMPAIGNS = 10
/** The pause after a short chunk is twice its duration: two thirds of the writer's time are for others. */
const PAUSE_FACTOR = 2
const LONGEST_PAUSE_MS = 1000

export interface FanOutPayload {
  eventId: number
  /** The versions that were live when the event was accepted. */
  campaigns: { campaignId: number; version: number }[]
  /** How far the recipients are served: an index into the list, or a position in the topic. */
  after: number
  /** The recipient at `place` was served with the first `campaigns` of the list. */
  partly?: { place: number; campaigns: number }
}

/** `place`: index in the list of the payload, whichever of its campaigns are still active. */
type PinnedEntry = LiveEntry & { place: number }

interface RecipientPage {
  recipients: { userId: string; place: number }[]
  /** `after` of the next page; null at the end. */
  next: number | null
  /** Added to a recipient's place, gives the `after` whose page begins with that recipient. */
  at: number
}

interface ChunkStart {
  jobId: number
  environment: Environment
  event: TrackedEvent
  entries: PinnedEntry[]
  page: RecipientPage
  partly: FanOutPayload['partly']
  /** How many runs of each user wait for the event. */
  waiting: ReadonlyMap<string, number>
  maxRuns(): number
  mayRead: MayRead
}

interface Chunk {
  started: StartedRuns
  /** Users whose first campaign is in this chunk. */
  begun: string[]
  /** How many of their runs wait for the event. */
  resumed: number
  next: Pick<FanOutPayload, 'after' | 'partly'> | null
  /** Least time until the next chunk (ms). */
  afterMs?: number
}

type Taken = Pick<
  Core,
  'events' | 'topics' | 'users' | 'arrivals' | 'campaigns' | 'inHand' | 'commitPlan' | 'clock'
> & {
  findEnvironment(id: number): Promise<Environment | undefined>
  live: Pick<LiveCampaigns, 'load'>
  activeTenants: Pick<ActiveTenants, 'hasOthers'>
  sendPolicies: Pick<SendPolicies, 'assign'>
  startRuns: StartRuns
  /** Time of one chunk, here and in sandboxes (ms); only tests change it. */
  chunkMs?: number
  ids: { job: IdSource }
}

/** Creates the handler of one chunk. It returns `complete` when nothing is left to write: then the worker ends the job. */
export function createFanOut(deps: Taken): (job: Job) => Promise<'complete' | undefined> {
  /** How long the latest chunk took, its commit included. */
  let tookMs = 0
  const room = createProfileRoom(HELD_BYTES, 'first')
  return async function fanOut(job) {
    const begunAt = deps.clock.now()
    const payload = JSON.parse(job.payload) as FanOutPayload
    const mark = [markOfJob(job.environmentId, job.id)]
    const event = await readMarked(deps.inHand, mark, () => deps.events.find(job.environmentId, payload.eventId))
    const environment = await deps.findEnvironment(job.environmentId)
    // The event or its environment was removed meanwhile.
    if (event === undefined || environment === undefined) return 'complete'
    const entries = await readMarked(deps.inHand, mark, () => findEntries(deps, job.environmentId, payload))
    const maxRuns = () => (deps.activeTenants.hasOthers(environment.id) ? SHORT_CHUNK_RUNS : CHUNK_RUNS)
    const isShared = maxRuns() === SHORT_CHUNK_RUNS
    const page = await readRecipients(deps, event, payload, Math.ceil(maxRuns() / Math.max(1, entries.length)))
    const { awaited } = await deps.live.load(job.environmentId)
    const isAwaited = awaited.has(event.name)
    if ((entries.length === 0 && !isAwaited) || (page.recipients.length === 0 && page.next === null)) return 'complete'
    const waiting = isAwaited ? await countWaiting(deps, event, page) : new Map<string, number>()
    // A job that was in hand when a process ended is marked only while it is evaluated.
    const end = job.crashes > 0 ? () => {} : deps.inHand.begin(mark)
    const { partly } = payload
    const begins = { jobId: job.id, environment, event, entries, page, partly, waiting, maxRuns }
    const chunk = await room.hold((mayRead) => startChunk(deps, { ...begins, mayRead })).finally(end)
    const { started } = chunk
    const now = deps.clock.now()
    const pauseMs = isShared ? Math.min(PAUSE_FACTOR * tookMs, LONGEST_PAUSE_MS) : 0
    const nextAt = now + Math.max(pauseMs, chunk.afterMs ?? 0)
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
      jobs: chunk.next === null ? [] : [nextJob(deps, job, { ...payload, ...chunk.next }, now, nextAt)],
      waits: started.waits,
      ...(isAwaited && {
        awaitedEvent: { eventId: event.id, name: event.name, userIds: chunk.begun, runs: chunk.resumed },
      }),
      completes: { environmentId: job.environmentId, id: job.id, fence: job.fence },
      continues: null,
    })
    tookMs = Math.max(0, deps.clock.now() - begunAt)
    return undefined
  }
}

/** The pinned versions of campaigns that are still active: one that was paused or archived meanwhile begins no more runs. */
async function findEntries(deps: Taken, environmentId: number, payload: FanOutPayload): Promise<PinnedEntry[]> {
  const live = await deps.live.load(environmentId)
  const entries: PinnedEntry[] = []
  for (const [place, { campaignId, version }] of payload.campaigns.entries()) {
    const entry = live.byId.get(campaignId)
    if (entry === undefined || entry.compiled === null) continue
    if (entry.version === version) entries.push({ ...entry, place })
    else {
      const pinned = await deps.campaigns.findVersion(environmentId, campaignId, version)
      if (pinned === undefined) continue
      const compiled = compileCampaign({ ...pinned, campaign: entry.campaign })
      entries.push({ ...entry, version, compiled, place })
    }
  }
  return entries
}

async function readRecipients(
  deps: Taken,
  event: TrackedEvent,
  { after }: FanOutPayload,
  most: number,
): Promise<RecipientPage> {
  if (event.topic === null) return readListed(event.userIds ?? [event.userId ?? ERASED_USER_ID], after, most)
  const recipients = await deps.topics.listSubscribers(event.environmentId, event.topic, after, most)
  const last = recipients.at(-1)
  return { recipients, next: recipients.length === most && last !== undefined ? last.place : null, at: BEFORE_PLACE }
}

/** `after` of a topic is the place before the next recipient, `after` of a list is the index of the next one. */
export const BEFORE_PLACE = -1

/** Places are indexes of the list as it was sent: an erased user keeps the place, so that no other user moves. */
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

/** Starts runs until the chunk is full, also in the middle of a user's campaigns. */
async function startChunk(deps: Taken, chunk: ChunkStart): Promise<Chunk> {
  const { environment, event, entries, page, partly, waiting } = chunk
  const { id: eventId, name, properties, correlationId } = event
  const start = { environment, eventId, name, properties, occurredAt: toIso(event.occurredAt), correlationId }
  const wholeStart = { ...start, entries }
  const mark = markOfJob(environment.id, chunk.jobId)
  const { recipients, next } = await readMarked(deps.inHand, [mark], () => readChunk(deps, chunk))
  const started = noRuns()
  const begun: string[] = []
  let resumed = 0
  const limit = createChunkLimit(started, chunk.maxRuns, deps.chunkMs ?? CHUNK_MS)
  for (const recipient of recipients) {
    const { place } = recipient
    const after = place + page.at
    const isBegun = partly?.place === place
    const waits = isBegun ? 0 : (waiting.get(recipient.userId) ?? 0)
    if (!limit.allows(waits)) return { started, begun, resumed, next: { after, partly: undefined } }
    if (!isBegun) begun.push(recipient.userId)
    limit.countResumed(waits)
    resumed += waits
    let rest = isBegun ? entries.filter((entry) => entry.place >= partly.campaigns) : entries
    for (let [first] = rest; first !== undefined; [first] = rest) {
      const count = Math.min(SLICE_CAMPAIGNS, rest.length, limit.left())
      if (count === 0) return { started, begun, resumed, next: { after, partly: { place, campaigns: first.place } } }
      // Most users begin all campaigns at once, and share one start.
      const isWhole = rest === entries && count === entries.length
      const chosen = isWhole ? wholeStart : { ...start, entries: rest.slice(0, count) }
      const begin = () => deps.startRuns(chosen, [recipient], limit.budget, started)
      const { rest: over } = await evaluateMarked(deps.inHand, mark, begin)
      const done = over?.entry ?? count
      rest = rest.slice(done)
      await limit.countBegun(done)
      const [next] = rest
      if (over !== null && next !== undefined) {
        // The chunk has used its time, or too much work of the environment waits for a sandbox.
        const partly = { place, campaigns: next.place }
        return { started, begun, resumed, next: { after, partly }, afterMs: over.afterMs }
      }
    }
  }
  return { started, begun, resumed, next: next === null ? null : { after: next, partly: undefined } }
}

/** Reads the recipients of a page up to the first one whose profile would be too much: the next chunk begins with that one. */
async function readChunk(
  deps: Taken,
  { environment, entries, page, mayRead }: ChunkStart,
): Promise<{ recipients: (Recipient & { place: number })[] } & Pick<RecipientPage, 'next'>> {
  const live = await deps.live.load(environment.id)
  const userIds = page.recipients.map(({ userId }) => userId)
  const read = readProfiles(entries) ? await deps.users.findMany(environment.id, userIds, mayRead) : undefined
  const firstLeft = page.recipients.find(({ userId }) => read?.left.has(userId))
  const recipients = page.recipients
    .filter(({ place }) => firstLeft === undefined || place < firstLeft.place)
    .map(({ userId, place }) => {
      const profile = withDefaults(read?.users.get(userId) ?? EMPTY_PROFILE, live.defaults)
      return { userId, place, profile, policy: live.policyOfAll }
    })
  await deps.sendPolicies.assign(environment.id, live, recipients)
  return { recipients, next: firstLeft === undefined ? page.next : firstLeft.place + page.at }
}

function countWaiting({ arrivals }: Taken, { environmentId, name }: TrackedEvent, page: RecipientPage) {
  const userIds = page.recipients.map(({ userId }) => userId)
  return arrivals.countWaiting(environmentId, name, userIds)
}

function nextJob(deps: Taken, job: Job, payload: FanOutPayload, now: number, runAt: number): NewJob {
  return {
    id: deps.ids.job.next(),
    environmentId: job.environmentId,
    kind: FAN_OUT,
    payload: JSON.stringify(payload),
    runAt,
    createdAt: now,
  }
}
