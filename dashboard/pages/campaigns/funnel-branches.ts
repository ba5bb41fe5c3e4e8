// Computes the parts of a funnel: the whole and each branch, of one version or of all.

import type { FunnelAnswer, FunnelStep } from '../../../contract/api.ts'
import { FUNNEL_STEPS } from '../../../contract/delivery.ts'

export interface FunnelPart {
  name: string
  steps: FunnelStep[]
}

/** @returns The percentage with one decimal, rounded half up; null of nothing. */
export function percentOf(count: number, of: number): number | null {
  return of === 0 ? null : Math.floor((count * 2000 + of) / (of * 2)) / 10
}

/** @returns The percentage of the first step; null for the first step itself. */
export function percentOfDelivered(steps: readonly FunnelStep[], at: number): number | null {
  return at === 0 ? null : percentOf(steps[at]?.count ?? 0, steps[0]?.count ?? 0)
}

/** @returns The versions that have messages, the newest first; none where no version has branches. */
export const versionsOf = ({ branches = [] }: FunnelAnswer): number[] =>
  [...new Set(branches.map(({ version }) => version))].sort((one, other) => other - one)

/** @returns The whole first, then each branch. @param version Undefined: the branches of all versions, equal names as one. */
export function partsOf({ steps, branches = [] }: FunnelAnswer, version: number | undefined): FunnelPart[] {
  const own = version === undefined ? branches : branches.filter((one) => one.version === version)
  const whole =
    version === undefined
      ? { name: 'All branches', steps }
      : { name: `Version ${version}`, steps: sumOf(own.map((one) => one.steps)) }
  const names = [...new Set(own.map(({ branch }) => branch))]
  const parts = names.map((name): FunnelPart => {
    const same = own.filter(({ branch }) => branch === name).map((one) => one.steps)
    return { name: name === null ? 'Without a branch' : name.replaceAll('/', ' / '), steps: sumOf(same) }
  })
  // What no branch has touched is the whole.
  return names.length === 1 && names[0] === null ? [whole] : [whole, ...parts]
}

export interface BranchBars {
  step: FunnelStep['step']
  bars: { name: string; count: number; percent: number | null; isBest: boolean }[]
}

/** @returns For each step after the delivery the share of each branch; the best one stands out where they differ. */
export function barsOf(branches: readonly FunnelPart[]): BranchBars[] {
  const [first] = branches
  return (first?.steps ?? []).slice(1).map(({ step }, index) => {
    const at = index + 1
    const percents = branches.map((part) => percentOfDelivered(part.steps, at))
    const best = Math.max(...percents.map((percent) => percent ?? 0))
    const differ = percents.some((percent) => percent !== null && percent < best)
    const bars = branches.map(({ name, steps }, place) => {
      const percent = percents[place] ?? null
      return { name, count: steps[at]?.count ?? 0, percent, isBest: differ && percent === best }
    })
    return { step, bars }
  })
}

function sumOf(all: readonly (readonly FunnelStep[])[]): FunnelStep[] {
  const counts = FUNNEL_STEPS.map((_, at) => all.reduce((sum, steps) => sum + (steps[at]?.count ?? 0), 0))
  return FUNNEL_STEPS.map((step, at) => ({
    step,
    count: counts[at] ?? 0,
    percentOfPrevious: at === 0 ? null : percentOf(counts[at] ?? 0, counts[at - 1] ?? 0),
  }))
}
