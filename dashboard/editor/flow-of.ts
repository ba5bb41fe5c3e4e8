// Gives a draft to the picture of its steps: there each step and each way needs an id of its own, which a draft may lack.

import { setAt } from './edits.ts'
import { type Draft, isObject, type Path, readAt, samePath, walkSteps } from './step-tree.ts'

export interface FlowOfDraft {
  /** The draft with ids for what has none of its own. */
  definition: Draft
  /** The paths of steps by their ids there. */
  paths: ReadonlyMap<string, Path>
}

export function flowOf(draft: Draft): FlowOfDraft {
  const paths = new Map<string, Path>()
  const definition = walkSteps(draft).reduce((whole, { step, path }) => {
    const isOwn = typeof step.id === 'string' && step.id !== '' && !paths.has(step.id)
    const id = isOwn ? String(step.id) : `?${path.join('.')}`
    paths.set(id, path)
    const named = isOwn ? whole : setAt(whole, [...path, 'id'], id)
    return withKeys(named, path)
  }, draft)
  return { definition, paths }
}

/** Names the branches of a step that have no key, or that of another one. */
function withKeys(draft: Draft, path: Path): Draft {
  const branches = readAt(draft, [...path, 'branches'])
  if (!Array.isArray(branches)) return draft
  const keys = new Set<unknown>()
  return branches.reduce<Draft>((whole, branch: unknown, index) => {
    const key = isObject(branch) ? branch.key : undefined
    if (typeof key === 'string' && key !== '' && !keys.has(key)) {
      keys.add(key)
      return whole
    }
    return setAt(whole, [...path, 'branches', index, 'key'], `?${index}`)
  }, draft)
}

/** @returns the id in the picture of the step at a path */
export function idAt({ paths }: FlowOfDraft, path: Path): string | undefined {
  return [...paths].find(([, other]) => samePath(other, path))?.[0]
}

/**
 * Finds the list of steps that a way of the picture has.
 *
 * @param way the id of a way: that of its step, `/`, its key; undefined for the steps of the campaign
 * @returns undefined for a way that has no list, such as "no branch"
 */
export function listOfWay(flow: FlowOfDraft, way: string | undefined): Path | undefined {
  if (way === undefined) return ['steps']
  const slash = way.lastIndexOf('/')
  const path = flow.paths.get(way.slice(0, slash))
  const key = way.slice(slash + 1)
  const step = path && readAt(flow.definition, path)
  if (path === undefined || !isObject(step)) return undefined
  if (step.type === 'waitFor') return [...path, key === 'taken' ? 'then' : 'onTimeout']
  const branches = Array.isArray(step.branches) ? step.branches : []
  const index = branches.findIndex((branch) => isObject(branch) && branch.key === key)
  return index === -1 ? undefined : [...path, 'branches', index, 'steps']
}
