// Turns the numbers of a campaign's steps into the notes of its picture.

import type { FlowStatsAnswer, FlowStepStats } from '../../../contract/resources/flow-stats.ts'
import type { FlowNote } from '../../flow/item-view.ts'
import { END, TRIGGER, wayId } from '../../flow/tree.ts'
import { formatCount } from '../../lib/format.ts'

type Mark = FlowNote['marks'][number]

/** @returns Notes by id of an item of the picture; shares are of the runs that started. */
export function notesOf({ runs, steps }: FlowStatsAnswer): Map<string, FlowNote> {
  const shareOf = (count: number) => (runs.started === 0 ? null : Math.min(1, count / runs.started))
  const noteOf = (count: number, marks: Mark[] = []): FlowNote => ({
    count: formatCount(count),
    share: shareOf(count),
    marks,
  })
  return new Map<string, FlowNote>([
    [TRIGGER, noteOf(runs.started, waitMark(runs.waiting))],
    ...steps.map((step) => [step.stepId, noteOf(step.reached, marksOf(step))] as const),
    ...steps.flatMap((step) => waysOf(step).map(([key, count]) => [wayId(step.stepId, key), noteOf(count)] as const)),
    [END, noteOf(runs.completed)],
  ])
}

/** @returns How many runs took each way; the empty key is that of a branch without a branch for them. */
export function waysOf({ type, ways, reached }: FlowStepStats): [key: string, count: number][] {
  const taken = Object.values(ways).reduce((sum, count) => sum + count, 0)
  return [
    ...Object.entries(ways),
    ...(type === 'branch' ? ([['', Math.max(0, reached - taken)]] as [string, number][]) : []),
  ]
}

/** @returns How many runs or messages did not go on here, in words; undefined for none. */
export function stoppedMark({ type, outcomes, reasons, funnel }: FlowStepStats): Mark | undefined {
  const count = Object.values(reasons).reduce((sum, one) => sum + one, 0)
  if (count === 0) return undefined
  if (type === 'digest') return { text: `${formatCount(count)} gathered`, tone: 'quiet' }
  const words = funnel === null ? 'stopped' : 'not sent'
  return { text: `${formatCount(count)} ${words}`, tone: (outcomes.failed ?? 0) > 0 ? 'bad' : 'warn' }
}

function marksOf(step: FlowStepStats): Mark[] {
  const { waiting, funnel } = step
  const stopped = stoppedMark(step)
  const read = funnel === null || funnel.delivery === 0 ? undefined : Math.round((funnel.read / funnel.delivery) * 100)
  return [
    ...waitMark(waiting),
    ...(stopped === undefined ? [] : [stopped]),
    ...(read === undefined ? [] : [{ text: `${read} % read`, tone: 'quiet' } as const]),
  ]
}

const waitMark = (waiting: number): Mark[] =>
  waiting === 0 ? [] : [{ text: `${formatCount(waiting)} waiting now`, tone: 'info' }]
