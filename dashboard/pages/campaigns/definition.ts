// Reads the parts of a campaign's definition that pages show, and compares two definitions.

import type { Change } from '../../elements/difference.ts'

type Json = Readonly<Record<string, unknown>>

interface Step {
  id?: string
  type?: string
  branches?: { steps?: Step[] }[]
  then?: Step[]
  onTimeout?: Step[]
}

/** @returns The name of the event that starts the campaign; empty where there is none. */
export function eventOf(definition: Json): string {
  const { trigger } = definition as { trigger?: { event?: string } }
  return trigger?.event ?? ''
}

/** @returns The types of the steps at the top level, in their order. */
export function stepTypesOf(definition: Json): string[] {
  const { steps = [] } = definition as { steps?: Step[] }
  return steps.map(({ type = '' }) => type)
}

/** @returns Whether a step sends on this channel, at any depth. */
export const sendsBy = (definition: Json, channel: string): boolean => stepsOfType(definition, channel).length > 0

/** @returns The ids of the steps of this type, at any depth, in their order. */
export function stepsOfType(definition: Json, wanted: string): string[] {
  const { steps = [] } = definition as { steps?: Step[] }
  const find = (list: readonly Step[]): string[] =>
    list.flatMap(({ id = '', type, branches = [], then = [], onTimeout = [] }) => [
      ...(type === wanted ? [id] : []),
      ...branches.flatMap((branch) => find(branch.steps ?? [])),
      ...find(then),
      ...find(onTimeout),
    ])
  return find(steps)
}

/** @returns One entry for each value that differs; empty when the definitions are equal. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [left, right] = [flatten(before), flatten(after)]
  const paths = [...new Set([...left.keys(), ...right.keys()])]
  return paths.flatMap((path): Change[] => {
    const [was, is] = [left.get(path), right.get(path)]
    if (was === is) return []
    const kind = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'
    return [{ kind, path, before: was, after: is }]
  })
}

function flatten(value: unknown, path = '', into = new Map<string, string>()): Map<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (entries.length === 0) into.set(path, typeof value === 'string' ? value : JSON.stringify(value))
  for (const [key, inner] of entries) {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`
    flatten(inner, path + step, into)
  }
  return into
}
