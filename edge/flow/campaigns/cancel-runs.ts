// Cancels a user's waiting runs of a campaign.

import { dropRun, type EndRun } from '../../campaign/end-run.ts'
import type { Evaluator } from '../../campaign/evaluator.ts'
import { compileCondition } from '../../campaign/expression/condition.ts'
import { TemplateError } from '../../campaign/expression/template.ts'
import { userScopeOf } from '../../campaign/run-state.ts'
import type { Campaign } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import { EMPTY_PROFILE, type UserProfile, withDefaults } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import { type Loaded, loadSuspended } from '../resume/load-suspended.ts'
import { toPlan } from '../resume/resume-runs.ts'

export interface CancelRuns {
  /** @throws `campaign/not-found`, or `request/invalid-body` for a faulty condition */
  cancel(
    environmentId: number,
    input: { campaignKey: string; userId: string; where?: string | undefined },
  ): Promise<Cancelled>
}

export interface Cancelled {
  cancelled: number
  /** The first 100. */
  runIds: string[]
  /** Runs for which the condition ended in an error: they stay. */
  failed: number
  /** One of them; null without any. */
  example: { runId: string; reason: string } | null
}

type Taken = Parameters<typeof loadSuspended>[0] &
  Pick<Core, 'campaigns' | 'waits' | 'users' | 'commitPlan' | 'clock'> & {
    endRun: EndRun
    holds: Evaluator['holds']
  }

const PAGE_RUNS = 100
const LISTED_RUNS = 100
/** Limits the repeats for runs that continue during the cancellation and wait again. */
const MAX_ROUNDS = 20

export function createCancelRuns(deps: Taken): CancelRuns {
  return {
    async cancel(environmentId, { campaignKey, userId, where }) {
      if (where !== undefined) checkWhere(where)
      const campaign = await deps.campaigns.findByKey(environmentId, campaignKey)
      if (campaign === undefined) throw new ApiError('campaign/not-found')
      const { defaults } = await deps.live.load(environmentId)
      const profile = withDefaults((await deps.users.find(environmentId, userId)) ?? EMPTY_PROFILE, defaults)
      const done: Done = { cancelled: [], failed: new Map() }
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const missed = await cancelOnce(deps, campaign, { userId, profile, where }, done)
        if (!missed) break
      }
      return toAnswer(done)
    },
  }
}

interface Done {
  cancelled: number[]
  /** Why the condition of each could not be evaluated, by run. */
  failed: Map<number, string>
}

function toAnswer({ cancelled, failed }: Done): Cancelled {
  const [example] = failed
  return {
    cancelled: cancelled.length,
    runIds: cancelled.slice(0, LISTED_RUNS).map((id) => formatId('run', id)),
    failed: failed.size,
    example: example === undefined ? null : { runId: formatId('run', example[0]), reason: example[1] },
  }
}

interface Wanted {
  userId: string
  profile: UserProfile
  where: string | undefined
}

/** Reads all pages once. @returns true when a run continued meanwhile */
async function cancelOnce(deps: Taken, campaign: Campaign, wanted: Wanted, done: Done): Promise<boolean> {
  const { environmentId, id } = campaign
  let missed = false
  for (let after = 0; ; ) {
    const waits = await deps.waits.listOfUser(environmentId, id, wanted.userId, after, PAGE_RUNS)
    const last = waits.at(-1)
    if (last === undefined) return missed
    // Their versions may be too large to be in memory together.
    for (let left = waits; left.length > 0; ) {
      const { loaded, later } = await loadSuspended(deps, left)
      const chosen = await select(deps, environmentId, loaded, wanted, done)
      const outcomes = await Promise.all(chosen.map((one) => cancelWait(deps, one)))
      for (const [place, { wait }] of chosen.entries()) {
        if (outcomes[place]) done.cancelled.push(wait.runId)
        else missed = true
      }
      left = later
    }
    after = last.runId
  }
}

async function select(
  { holds }: Taken,
  environmentId: number,
  loaded: Loaded[],
  { userId, profile, where }: Wanted,
  { failed }: Done,
): Promise<Loaded[]> {
  if (where === undefined) return loaded
  const user = userScopeOf(userId, profile)
  const known = loaded.flatMap((one) => (one.found === 'gone' ? [] : [{ one, found: one.found }]))
  const scopes = known.map(({ found: { wait, start, chars } }) => ({
    event: start.event,
    user,
    enriched: wait.runState.enriched ?? {},
    chars,
  }))
  const verdicts = await Promise.resolve(holds(environmentId, where, scopes)).catch((error: unknown) => {
    if (!(error instanceof TemplateError)) throw error
    throw new ApiError('request/invalid-body', { details: [{ path: 'where', message: error.message }] })
  })
  return known.flatMap(({ one }, place) => {
    const verdict = verdicts[place]
    if (verdict?.holds === false && verdict.outcome === 'error') failed.set(one.wait.runId, verdict.reason)
    return verdict?.holds ? [one] : []
  })
}

async function cancelWait({ endRun, commitPlan, clock }: Taken, { wait, found }: Loaded): Promise<boolean> {
  const now = clock.now()
  const cancelled = { state: 'cancelled', stateReason: 'requested' } as const
  const stopped = found === 'gone' ? dropRun(wait, cancelled, now) : endRun.stop(found, cancelled)
  return (await commitPlan(toPlan(wait, stopped, now))).result === 'written'
}

function checkWhere(where: string): void {
  const compiled = compileCondition(where, { knowsAwaited: false })
  if ('condition' in compiled) return
  throw new ApiError('request/invalid-body', { details: [{ path: 'where', ...compiled.fault }] })
}
