// Reads the numbers of a campaign's steps: how many runs reached each, which way they took, and what became of its messages.

import type { FlowStatsAnswer, FlowStatsQuery, FlowStepStats } from '../../../contract/resources/flow-stats.ts'
import { listSteps, waysOf } from '../../campaign/definition.ts'
import type { StoredStep } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import type { StepFunnel } from '../../domain/delivery/funnel.ts'
import { isSend, type StepCount, type StepCountKind } from '../../domain/delivery/step-counts.ts'
import { sinceOf } from '../../domain/delivery/window.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { getCampaign } from './read-campaigns.ts'

/** @throws `campaign/not-found`, also for a version that is not published, and for a campaign without any */
export type ReadFlow = (environmentId: number, campaignId: string, query: FlowStatsQuery) => Promise<FlowStatsAnswer>

export function createReadFlow({ campaigns, funnels, clock }: Pick<Core, 'campaigns' | 'funnels' | 'clock'>): ReadFlow {
  return async function readFlow(environmentId, campaignId, { window, version: asked }) {
    const { id, currentVersion } = await getCampaign(campaigns, environmentId, campaignId)
    const version = asked ?? currentVersion
    const published = version === null ? undefined : await campaigns.findVersion(environmentId, id, version)
    if (published === undefined) throw new ApiError('campaign/not-found')
    const since = sinceOf(window, clock.now()) ?? 0
    const found = await funnels.steps(environmentId, id, published.version, since)
    const sums = groupByStep(found.counts)
    const funnelOf = new Map(found.funnels.map((funnel) => [funnel.stepId, funnel]))
    return {
      campaignId: formatId('campaign', id),
      version: published.version,
      window,
      since: toIso(since),
      runs: toRuns(sums.get('') ?? NONE),
      steps: listSteps(published.definition.steps).map((step) =>
        toStep(step, sums.get(step.id) ?? NONE, funnelOf.get(step.id)),
      ),
    }
  }
}

/** The sums of one step, by kind and name. */
type Sums = ReadonlyMap<StepCountKind, Record<string, number>>
const NONE: Sums = new Map()

function groupByStep(counts: StepCount[]): Map<string, Sums> {
  const byStep = new Map<string, Map<StepCountKind, Record<string, number>>>()
  for (const { stepId, kind, name, count } of counts) {
    // A rebuild beside commits may show a sum before both of its parts are there.
    if (count <= 0) continue
    const sums = byStep.get(stepId) ?? new Map<StepCountKind, Record<string, number>>()
    byStep.set(stepId, sums.set(kind, { ...sums.get(kind), [name]: count }))
  }
  return byStep
}

const total = (sums: Record<string, number> = {}) => Object.values(sums).reduce((sum, count) => sum + count, 0)

function toRuns(sums: Sums): FlowStatsAnswer['runs'] {
  const { completed = 0, exited = 0, failed = 0, cancelled = 0 } = sums.get('run') ?? {}
  const started = total(sums.get('run'))
  return { started, waiting: total(sums.get('waiting')), completed, exited, failed, cancelled }
}

function toStep(step: StoredStep, sums: Sums, funnel: StepFunnel | undefined): FlowStepStats {
  const { waiting: _, ...outcomes } = sums.get('outcome') ?? {}
  const { delivery = 0, read = 0, opened = 0, clicked = 0 } = funnel ?? {}
  return {
    stepId: step.id,
    type: step.type,
    reached: total(sums.get('outcome')) - total(sums.get('unreached')),
    waiting: total(sums.get('waiting')),
    outcomes,
    reasons: sums.get('reason') ?? {},
    ways: Object.fromEntries(waysOf(step).map((way) => [way, countWay(step, sums, way)])),
    funnel: isSend(step.type) ? { delivery, read, opened, clicked } : null,
  }
}

/** Outcomes are the ways of a step whose trace has no codes for them. */
function countWay({ type }: StoredStep, sums: Sums, way: string): number {
  const counts = sums.get(type === 'branch' ? 'way' : 'outcome') ?? {}
  // A way may be named `constructor`, which every object has.
  return Object.hasOwn(counts, way) ? (counts[way] ?? 0) : 0
}
