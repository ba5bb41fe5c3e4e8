// Loads what claimed waits need to go on: run, event, version, user; a few queries for many of them (house section 3).

import type { CampaignHead } from '../../domain/campaign.ts'
import type { Inboxes } from '../../domain/message.ts'
import type { ClaimedWait, RunHome, RunWaits, WaitingRun } from '../../domain/run/run-wait.ts'
import { SEND_ALL } from '../../domain/send-policy.ts'
import type { CompiledCampaign } from '../../domain/steps/compiled-campaign.ts'
import { EMPTY_PROFILE, type UserProfile, type Users } from '../../domain/user.ts'
import { toIso } from '../../lib/clock.ts'
import type { SendPolicies } from '../tracking/send-policies.ts'
import type { Suspended } from './continue-run.ts'
import { userScopeOf } from './course.ts'
import type { PinnedVersions } from './pinned-versions.ts'

export interface LoadSuspendedDeps {
  waits: Pick<RunWaits, 'findRuns' | 'findHomes'>
  users: Pick<Users, 'findMany'>
  pinned: PinnedVersions
  sendPolicies: Pick<SendPolicies, 'findMany'>
  inboxes: Pick<Inboxes, 'findSeenSteps'>
}

/** `gone`: its run, event or campaign is no more, so nothing can follow. */
export type Loaded =
  | { wait: ClaimedWait; found: Suspended & { campaign: CampaignHead } }
  | { wait: ClaimedWait; found: 'gone' }

export async function loadSuspended(deps: LoadSuspendedDeps, waits: ClaimedWait[]): Promise<Loaded[]> {
  const runs = await deps.waits.findRuns(waits.map((wait) => wait.runId))
  // Read once for all of them, so that all see the same state.
  const homes = await deps.waits.findHomes([...runs.values()])
  const parts: { wait: ClaimedWait; run: WaitingRun; home: RunHome; compiled: CompiledCampaign }[] = []
  const gone: ClaimedWait[] = []
  for (const wait of waits) {
    const run = runs.get(wait.runId)
    const home = run && homes.get(run.campaignId)
    const compiled = run && home && (await deps.pinned.find(home.campaign, run.version))
    if (run === undefined || home === undefined || compiled === undefined) gone.push(wait)
    else parts.push({ wait, run, home, compiled })
  }
  const profiles = await readProfiles(deps, parts)
  const profileOf = (run: WaitingRun) => profiles.get(keyOf(run)) ?? EMPTY_PROFILE
  const policies = await deps.sendPolicies.findMany(
    parts.map(({ run }) => ({ environmentId: run.environmentId, userId: run.userId, profile: profileOf(run) })),
  )
  const asking = parts.filter(({ compiled }) => compiled.asksSeen).map(({ run }) => run.id)
  const seen = asking.length === 0 ? undefined : await deps.inboxes.findSeenSteps(asking)
  const found = parts.map(({ wait, run, home, compiled }, place): Loaded => {
    const user = userScopeOf(run.userId, profileOf(run))
    const event = { ...run.event, userId: run.userId, occurredAt: toIso(run.event.occurredAt) }
    const { eventId, correlationId, isTest } = run
    const start = { environment: home.environment, campaign: compiled, eventId, event, user, correlationId, isTest }
    const policy = policies[place] ?? SEND_ALL
    const seenSteps = seen?.get(run.id)
    const whole = { ...start, policy, ...(seenSteps !== undefined && { seenSteps }) }
    return { wait, found: { wait, run, start: whole, campaign: home.campaign } }
  })
  return [...found, ...gone.map((wait): Loaded => ({ wait, found: 'gone' }))]
}

/** One query for each environment, and none when no step asks for a profile. */
async function readProfiles(
  { users }: LoadSuspendedDeps,
  parts: { run: WaitingRun; compiled: CompiledCampaign }[],
): Promise<Map<string, UserProfile>> {
  const wanted = new Map<number, string[]>()
  for (const { run, compiled } of parts) {
    if (!compiled.readsProfile) continue
    const ids = wanted.get(run.environmentId)
    if (ids === undefined) wanted.set(run.environmentId, [run.userId])
    else ids.push(run.userId)
  }
  const profiles = new Map<string, UserProfile>()
  for (const [environmentId, userIds] of wanted) {
    for (const [userId, profile] of await users.findMany(environmentId, userIds)) {
      profiles.set(keyOf({ environmentId, userId }), profile)
    }
  }
  return profiles
}

const keyOf = ({ environmentId, userId }: { environmentId: number; userId: string }) => `${environmentId}:${userId}`
