// Changes a draft: each function returns a new draft, which shares with the old one what did not change.

import {
  type Draft,
  type DraftStep,
  isObject,
  isWithin,
  listsOf,
  type Path,
  readAt,
  samePath,
  stepsAt,
  walkSteps,
} from './step-tree.ts'

/** Fields whose text names another step by its id. */
const READS_STEP: Path = ['unless', 'read']

/**
 * Sets the value at a path. Absent objects on the way are made; the order of keys stays, and a new key is the last.
 *
 * @param value undefined removes the key.
 */
export function setAt(draft: Draft, path: Path, value: unknown): Draft {
  return replace(draft, path, value) as Draft
}

function replace(at: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  if (typeof key === 'number') {
    const list = Array.isArray(at) ? [...at] : []
    const next = replace(list[key], rest, value)
    if (next === undefined) list.splice(key, 1)
    else list[key] = next
    return list
  }
  const object = isObject(at) ? at : {}
  const next = replace(Object.hasOwn(object, key) ? object[key] : undefined, rest, value)
  if (next !== undefined) return { ...object, [key]: next }
  const { [key]: _removed, ...others } = object
  return others
}

/** Puts steps into a list, before the one at `index`. */
export function insertSteps(draft: Draft, list: Path, index: number, steps: readonly DraftStep[]): Draft {
  return setAt(draft, list, stepsAt(draft, list).toSpliced(index, 0, ...steps))
}

/** Removes a step with all that is in it. */
export function removeStep(draft: Draft, path: Path): Draft {
  const { list, index } = placeOf(path)
  return setAt(draft, list, stepsAt(draft, list).toSpliced(index, 1))
}

/** @returns the list of a step and its place there */
export function placeOf(path: Path): { list: Path; index: number } {
  return { list: path.slice(0, -1), index: Number(path.at(-1)) }
}

/**
 * Moves a step before the one at `index` of a list, as both are numbered before the move.
 *
 * @returns the draft and the new path of the step; undefined where the step would come into itself, or not move
 */
export function moveStep(
  draft: Draft,
  from: Path,
  list: Path,
  index: number,
): { draft: Draft; path: Path } | undefined {
  const step = readAt(draft, from)
  const source = placeOf(from)
  if (!isObject(step) || isWithin(list, from)) return undefined
  if (samePath(list, source.list)) {
    if (index === source.index || index === source.index + 1) return undefined
    const target = index > source.index ? index - 1 : index
    const others = stepsAt(draft, list).toSpliced(source.index, 1)
    return { draft: setAt(draft, list, others.toSpliced(target, 0, step)), path: [...list, target] }
  }
  const path = withoutStep(list, source)
  return { draft: insertSteps(removeStep(draft, from), path, index, [step]), path: [...path, index] }
}

/** @returns a path as it is after a step that stood before it is gone */
function withoutStep(path: Path, { list, index }: { list: Path; index: number }): Path {
  const at = path[list.length]
  if (!isWithin(path, list) || typeof at !== 'number' || at <= index) return path
  return path.with(list.length, at - 1)
}

/** One place up or down, through all places of the campaign: into the ways of a neighbour, past it, and out again. */
export function moveByKey(draft: Draft, from: Path, by: 'up' | 'down'): { draft: Draft; path: Path } | undefined {
  const { list, index } = placeOf(from)
  const neighbour = stepsAt(draft, list)[by === 'up' ? index - 1 : index + 1]
  if (neighbour !== undefined) {
    const lists = isObject(neighbour) ? listsOf(neighbour) : []
    const inner = by === 'up' ? lists.at(-1) : lists[0]
    if (inner === undefined) return moveStep(draft, from, list, by === 'up' ? index - 1 : index + 2)
    return moveToEnd(draft, from, [...list, by === 'up' ? index - 1 : index + 1, ...inner], by)
  }
  const way = neighbourList(draft, list, by)
  if (way !== undefined) return moveToEnd(draft, from, way, by)
  const owner = ownerOf(draft, list)
  if (owner === undefined) return undefined
  const outer = placeOf(owner)
  return moveStep(draft, from, outer.list, by === 'up' ? outer.index : outer.index + 1)
}

/** Into a list at the end that the step comes to first. */
const moveToEnd = (draft: Draft, from: Path, list: Path, by: 'up' | 'down') =>
  moveStep(draft, from, list, by === 'up' ? stepsAt(draft, list).length : 0)

/** @returns the path of the step that has this list; undefined for the list of the campaign */
function ownerOf(draft: Draft, list: Path): Path | undefined {
  return walkSteps(draft).findLast(({ path }) => path.length < list.length && isWithin(list, path))?.path
}

/** @returns the list of the same step before or after this one */
function neighbourList(draft: Draft, list: Path, by: 'up' | 'down'): Path | undefined {
  const owner = ownerOf(draft, list)
  if (owner === undefined) return undefined
  const lists = listsOf(readAt(draft, owner) as DraftStep).map((inner) => [...owner, ...inner])
  const at = lists.findIndex((one) => samePath(one, list))
  return lists[by === 'up' ? at - 1 : at + 1]
}

/** @returns the ids of all steps */
export function idsOf(draft: Draft): Set<string> {
  return new Set(walkSteps(draft).flatMap(({ step: { id } }) => (typeof id === 'string' ? [id] : [])))
}

/** @returns an id that no step has: the wanted one, or it with a number */
export function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  const base = wanted.replace(/-\d+$/, '')
  for (let number = 2; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`
}

/** Gives copied steps ids that the draft does not have. What one of them says of another follows its new id. */
export function withFreeIds(draft: Draft, steps: readonly DraftStep[]): DraftStep[] {
  const taken = idsOf(draft)
  const copied: Draft = { steps }
  const renamed = new Map<string, string>()
  const walked = walkSteps(copied).map(({ step, path }) => {
    if (typeof step.id !== 'string') return { step, path }
    const id = freeId(step.id, taken)
    taken.add(id)
    // The first of two equal ids is the one that a reference means.
    if (!renamed.has(step.id)) renamed.set(step.id, id)
    return { step, path, id }
  })
  const result = walked.reduce((whole, { step, path, id }) => {
    const named = id === undefined ? whole : setAt(whole, [...path, 'id'], id)
    const read = readAt(step, READS_STEP)
    const newRead = typeof read === 'string' ? renamed.get(read) : undefined
    return newRead === undefined ? named : setAt(named, [...path, ...READS_STEP], newRead)
  }, copied)
  return stepsAt(result, ['steps']) as DraftStep[]
}

/** Gives a step another id; steps that name it follow. */
export function renameStep(draft: Draft, path: Path, id: string): Draft {
  const before = readAt(draft, [...path, 'id'])
  const renamed = setAt(draft, [...path, 'id'], id)
  if (typeof before !== 'string' || before === '') return renamed
  const isShared = walkSteps(draft).filter(({ step }) => step.id === before).length > 1
  if (isShared) return renamed
  return walkSteps(draft).reduce((whole, { step, path: other }) => {
    return readAt(step, READS_STEP) === before ? setAt(whole, [...other, ...READS_STEP], id) : whole
  }, renamed)
}
