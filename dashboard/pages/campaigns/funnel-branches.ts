// Lists the parts of a funnel that a person may choose: all, a branch of all versions, or a branch of one version.

import type { FunnelAnswer, FunnelStep } from '../../../contract/api.ts'

export interface FunnelPart {
  /** In the address; empty for all branches. */
  id: string
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

/** @returns All branches first; then branches that several versions have, as one; then each branch of each version. */
export function partsOf({ steps, branches = [] }: FunnelAnswer): FunnelPart[] {
  const all: FunnelPart = { id: '', name: 'All branches', steps }
  const names = [...new Set(branches.map(({ branch }) => branch))]
  const sums = names.flatMap((name): FunnelPart[] => {
    const same = branches.filter(({ branch }) => branch === name)
    if (same.length < 2) return []
    const named = name === null ? 'Without a branch' : `Branch ${name}`
    return [{ id: JSON.stringify([name]), name: `${named}, all versions`, steps: sumOf(same.map((one) => one.steps)) }]
  })
  const own = branches.map(({ version, branch, steps: counts }): FunnelPart => {
    const named = branch === null ? 'without a branch' : `branch ${branch}`
    return { id: JSON.stringify([branch, version]), name: `Version ${version}, ${named}`, steps: counts }
  })
  return [all, ...sums, ...own]
}

/** @returns The part of an id; all branches for one that the funnel does not have. */
export function partOf(funnel: FunnelAnswer, id: string | null): FunnelPart {
  const parts = partsOf(funnel)
  return parts.find((part) => part.id === id) ?? (parts[0] as FunnelPart)
}

function sumOf(all: readonly (readonly FunnelStep[])[]): FunnelStep[] {
  const counts = (all[0] ?? []).map((_, at) => all.reduce((sum, steps) => sum + (steps[at]?.count ?? 0), 0))
  return (all[0] ?? []).map(({ step }, at) => ({
    step,
    count: counts[at] ?? 0,
    percentOfPrevious: at === 0 ? null : percentOf(counts[at] ?? 0, counts[at - 1] ?? 0),
  }))
}
