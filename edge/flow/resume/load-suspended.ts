// Loads the data that claimed waits need to continue (run, event, version, user) with a few queries for many.

import type { CompiledCampaign, Suspended } from '../../campaign/compiled.ts'
import { userScopeOf } from '../../campaign/run-state.ts'
import { SEND_ALL } from '../../campaign/send-policy.ts'
import type { CampaignHead } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import type { ClaimedWait, RunContext, WaitingRun } from '../../domain/run/run-wait.ts'
import {
  EMPTY_PROFILE,
  type MayRead,
  NO_DEFAULTS,
  type UserDefaults,
  type UserProfile,
  upToTogether,
  withDefaults,
} from '../../domain/user.ts'
import { toIso } from '../../lib/clock.ts'
import { createTimeSlices } from '../../lib/time-slices.ts'
import type { LiveCampaigns } from '../track/live-campaigns.ts'
import type { SendPolicies } from '../track/send-policies.ts'
import { countVersions, type PinnedVersions } from './pinned-versions.ts'

type Taken = Pick<Core, 'waits' | 'users' | 'inboxes'> & {
  pinned: PinnedVersions
  sendPolicies: Pick<SendPolicies, 'findMany'>
  /** Provides the defaults for users without own settings. */
  live: Pick<LiveCampaigns, 'load'>
}

/** A suspended run with its campaign's current state. */
export type LoadedRun = Suspended & { campaign: CampaignHead }

/** `gone`: the run, event or campaign was deleted, so the run cannot continue. */
export type Loaded = { wait: ClaimedWait; found: LoadedRun } | { wait: ClaimedWait; found: 'gone' }

/** @returns One entry for each wait: first those that can continue, then those that are gone. `later`: their profiles or versions would be too much at once. */
export async function loadSuspended(
  deps: Taken,
  waits: ClaimedWait[],
  mayRead = upToTogether(),
): Promise<{ loaded: Loaded[]; later: ClaimedWait[] }> {
  const runs = await deps.waits.findRuns(waits)
  // Read once, so that all waits see the same state.
  const contexts = await deps.waits.findContexts([...runs.values()])
  const all: { wait: ClaimedWait; run: WaitingRun; context: RunContext; compiled: CompiledCampaign }[] = []
  const gone: ClaimedWait[] = []
  // Each may wait in a version of its own, of some MiB.
  const endSlice = createTimeSlices()
  const versions = countVersions()
  const later: ClaimedWait[] = []
  for (const wait of waits) {
    if (versions.areMany()) {
      later.push(wait)
      continue
    }
    const run = runs.get(wait.runId)
    const context = run && contexts.get(run.campaignId)
    const compiled = run && context && (await deps.pinned.find(context.campaign, run.version))
    if (run === undefined || context === undefined || compiled === undefined) gone.push(wait)
    else {
      all.push({ wait, run, context, compiled })
      versions.add(run.campaignId, run.version, compiled.chars)
    }
    await endSlice()
  }
  const [{ profiles, bytes, left }, defaults] = await Promise.all([
    readProfiles(deps, all, mayRead),
    readDefaults(deps, all),
  ])
  const parts = left.size === 0 ? all : all.filter(({ run }) => !left.has(keyOf(run)))
  if (left.size > 0) later.push(...all.filter(({ run }) => left.has(keyOf(run))).map(({ wait }) => wait))
  const profileOf = (run: WaitingRun) =>
    withDefaults(profiles.get(keyOf(run)) ?? EMPTY_PROFILE, defaults.get(run.environmentId) ?? NO_DEFAULTS)
  const policies = await deps.sendPolicies.findMany(
    parts.map(({ run }) => ({ environmentId: run.environmentId, userId: run.userId, profile: profileOf(run) })),
  )
  const seenReaders = parts.filter(({ compiled }) => compiled.needsSeenSteps).map(({ run }) => run.id)
  const seen = seenReaders.length === 0 ? undefined : await deps.inboxes.findSeenSteps(seenReaders)
  const found = parts.map(({ wait, run, context, compiled }, place): Loaded => {
    const user = userScopeOf(run.userId, profileOf(run))
    const event = Object.assign(run.event, { userId: run.userId, occurredAt: toIso(run.event.occurredAt) })
    const { eventId, correlationId, isTest } = run
    const start = { environment: context.environment, campaign: compiled, eventId, event, user, correlationId, isTest }
    const policy = policies[place] ?? SEND_ALL
    const seenSteps = seen?.get(run.id)
    const complete = { ...start, policy, ...(seenSteps !== undefined && { seenSteps }) }
    const chars = wait.stateChars + run.eventChars + (bytes.get(keyOf(run)) ?? 0)
    return { wait, found: { wait, run, start: complete, chars, campaign: context.campaign } }
  })
  return { loaded: [...found, ...gone.map((wait): Loaded => ({ wait, found: 'gone' }))], later }
}

/** Reads the profiles: one query for each environment, and none when no step needs a profile. */
async function readProfiles(
  { users }: Taken,
  parts: { run: WaitingRun; compiled: CompiledCampaign }[],
  mayRead: MayRead,
): Promise<Profiles> {
  const wanted = new Map<number, string[]>()
  for (const { run, compiled } of parts) {
    if (!compiled.readsProfile) continue
    const ids = wanted.get(run.environmentId)
    if (ids === undefined) wanted.set(run.environmentId, [run.userId])
    else ids.push(run.userId)
  }
  const all: Profiles = { profiles: new Map(), bytes: new Map(), left: new Set() }
  for (const [environmentId, userIds] of wanted) {
    const key = (userId: string) => keyOf({ environmentId, userId })
    const read = await users.findMany(environmentId, userIds, mayRead)
    for (const [userId, profile] of read.users) all.profiles.set(key(userId), profile)
    for (const [userId, bytes] of read.bytes) all.bytes.set(key(userId), bytes)
    for (const userId of read.left) all.left.add(key(userId))
  }
  return all
}

/** By environment and user. */
interface Profiles {
  profiles: Map<string, UserProfile>
  /** Of large ones. */
  bytes: Map<string, number>
  left: Set<string>
}

async function readDefaults({ live }: Taken, parts: { run: WaitingRun }[]): Promise<Map<number, UserDefaults>> {
  const ids = [...new Set(parts.map(({ run }) => run.environmentId))]
  return new Map(await Promise.all(ids.map(async (id) => [id, (await live.load(id)).defaults] as const)))
}

const keyOf = ({ environmentId, userId }: { environmentId: number; userId: string }) => `${environmentId}:${userId}`
