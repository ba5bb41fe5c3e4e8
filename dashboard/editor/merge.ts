// Merges two drafts that began with the same one: what only one of them changed is taken; the rest is a conflict.

import { type Draft, formatPath, isObject, type Path, walkSteps } from './step-tree.ts'

/** A value that both have changed. Undefined is an absent one. */
export interface MergeConflict {
  path: Path
  /** Such as `steps.greet.title`: lists whose items have an id or a key are read by it. */
  name: string
  base: unknown
  mine: unknown
  theirs: unknown
}

export interface Merged {
  /** Has `mine` wherever both have changed a value. */
  draft: Draft
  conflicts: MergeConflict[]
}

/** @returns the merged draft; where both moved one step, the conflict is the whole list of steps */
export function mergeDrafts(base: Draft, mine: Draft, theirs: Draft): Merged {
  const conflicts: MergeConflict[] = []
  const draft = merge(base, mine, theirs, [], [], conflicts) as Draft
  const ids = walkSteps(draft).map(({ step }) => step.id)
  const repeats = (all: readonly unknown[]) => all.length !== new Set(all).size
  if (!repeats(ids) || repeats(walkSteps(mine).map(({ step }) => step.id))) return { draft, conflicts }
  const whole: MergeConflict = {
    path: ['steps'],
    name: 'steps',
    base: base.steps,
    mine: mine.steps,
    theirs: theirs.steps,
  }
  const others = conflicts.filter(({ path }) => path[0] !== 'steps')
  return { draft: { ...draft, steps: mine.steps }, conflicts: [...others, whole] }
}

function merge(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  path: Path,
  names: Path,
  conflicts: MergeConflict[],
): unknown {
  if (isSame(mine, theirs) || isSame(base, theirs)) return mine
  if (isSame(base, mine)) return theirs
  // Fields of a step of one type are not mixed with those of another.
  const isOneType = isObject(mine) && isObject(theirs) && mine.type === theirs.type
  if (isOneType && isObject(base)) {
    const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)])
    const entries = [...keys].map((key) => {
      const [was, is, other] = [base, mine, theirs].map((one) => (Object.hasOwn(one, key) ? one[key] : undefined))
      return [key, merge(was, is, other, [...path, key], [...names, key], conflicts)] as const
    })
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }
  if (isNamed(mine) && isNamed(theirs) && isNamed(base)) return mergeLists(base, mine, theirs, path, names, conflicts)
  conflicts.push({ path, name: formatPath(names), base, mine, theirs })
  // Somebody else's work is not removed in silence, and neither is one's own.
  return mine === undefined ? theirs : mine
}

type Named = Readonly<Record<string, unknown>>

const nameOf = (item: Named): unknown => item.id ?? item.key

/** Whether all items have a name of their own in the list. */
function isNamed(list: unknown): list is readonly Named[] {
  if (!Array.isArray(list) || !list.every(isObject)) return false
  const names = list.map(nameOf)
  return names.every((name) => typeof name === 'string') && new Set(names).size === names.length
}

function mergeLists(
  base: readonly Named[],
  mine: readonly Named[],
  theirs: readonly Named[],
  path: Path,
  names: Path,
  conflicts: MergeConflict[],
): unknown[] {
  const find = (list: readonly Named[], name: unknown) => list.find((item) => nameOf(item) === name)
  const order = mergeOrder(base.map(nameOf), mine.map(nameOf), theirs.map(nameOf))
  const items: unknown[] = []
  for (const name of order) {
    const [was, is, other] = [find(base, name), find(mine, name), find(theirs, name)]
    const merged = merge(was, is, other, [...path, items.length], [...names, String(name)], conflicts)
    if (merged !== undefined) items.push(merged)
  }
  return items
}

/** Takes the order of whoever changed it, mine where both did; what the other one added stands after what it stood after. */
function mergeOrder(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): unknown[] {
  const common = (list: readonly unknown[], other: readonly unknown[]) => list.filter((name) => other.includes(name))
  const isMineKept = isSame(common(base, mine), common(mine, base))
  const [first, second] = isMineKept ? [theirs, mine] : [mine, theirs]
  const order = [...first]
  for (const [index, name] of second.entries()) {
    if (order.includes(name)) continue
    const before = second.slice(0, index).findLast((one) => order.includes(one))
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, name)
  }
  return order
}

/** Equal as JSON; the order of keys does not count. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
}
