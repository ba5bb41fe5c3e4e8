// Finds the place of each step by its id, which steps of two definitions are the same one, and which of them moved.

import { type Draft, type DraftStep, isObject, listsOf, type Path, readAt, stepsAt } from '../../../editor/step-tree.ts'

export interface StepPlace {
  id: string
  step: DraftStep
  /** The list that the step is in: its owner's id and the way there; the campaign's own list has no owner. */
  list: string
  owner: string | undefined
  /** Such as `big` of a branch, or `then`. */
  way: string
  /** The id of the step before it in the list; undefined for the first. */
  previous: string | undefined
}

/** @returns the steps in their written order. A step without an id of its own is named by its place. */
export function placesOf(draft: Draft): Map<string, StepPlace> {
  const places = new Map<string, StepPlace>()
  function walk(path: Path, owner: string | undefined, way: string): void {
    let previous: string | undefined
    for (const [index, step] of stepsAt(draft, path).entries()) {
      if (!isObject(step)) continue
      const written = typeof step.id === 'string' && step.id !== '' ? step.id : undefined
      const id =
        written !== undefined && !places.has(written)
          ? written
          : `${written ?? 'step'} at ${[...path, index].join('.')}`
      places.set(id, { id, step, list: `${owner ?? ''} ${way}`, owner, way, previous })
      for (const inner of listsOf(step)) walk([...path, index, ...inner], id, wayOf(step, inner))
      previous = id
    }
  }
  walk(['steps'], undefined, '')
  return places
}

/** @returns the key of a branch, or its number; `then` and `onTimeout` of a wait for an event */
function wayOf(step: DraftStep, [first, index]: Path): string {
  if (first !== 'branches') return String(first)
  const key = readAt(step, ['branches', index ?? 0, 'key'])
  return typeof key === 'string' && key !== '' ? key : String(Number(index) + 1)
}

/** @returns the new ids of steps that are the same but for their id, by the old ones */
export function findRenamed(
  before: ReadonlyMap<string, StepPlace>,
  after: ReadonlyMap<string, StepPlace>,
): Map<string, string> {
  const fresh = new Map<string, string>()
  for (const [id, { step }] of after) if (!before.has(id)) fresh.set(withoutId(step), id)
  const renamed = new Map<string, string>()
  for (const [id, { step }] of before) {
    const found = after.has(id) ? undefined : fresh.get(withoutId(step))
    if (found === undefined) continue
    renamed.set(id, found)
    fresh.delete(withoutId(step))
  }
  return renamed
}

const withoutId = ({ id: _id, ...content }: DraftStep): string => JSON.stringify(content)

/** @returns the ids of the steps that stand elsewhere: in another list, or before or behind others of theirs */
export function findMoved(before: ReadonlyMap<string, StepPlace>, after: ReadonlyMap<string, StepPlace>): Set<string> {
  const moved = new Set<string>()
  const ranks = new Map([...before.keys()].map((id, rank) => [id, rank]))
  const lists = new Map<string, string[]>()
  for (const { id, list } of after.values()) {
    const former = before.get(id)
    if (former === undefined) continue
    if (former.list !== list) moved.add(id)
    else lists.set(list, [...(lists.get(list) ?? []), id])
  }
  for (const ids of lists.values()) {
    const kept = new Set(longestRising(ids, (id) => ranks.get(id) ?? 0))
    for (const id of ids) if (!kept.has(id)) moved.add(id)
  }
  return moved
}

/** @returns the most ids whose ranks rise, so that the fewest are called moved; at most 200 are compared */
function longestRising(ids: readonly string[], rankOf: (id: string) => number): string[] {
  const best: string[][] = []
  for (const id of ids) {
    const before = best.filter((run) => rankOf(run.at(-1) as string) < rankOf(id))
    const longest = before.reduce<string[]>((one, other) => (other.length > one.length ? other : one), [])
    best.push([...longest, id])
  }
  return best.reduce<string[]>((one, other) => (other.length > one.length ? other : one), [])
}
