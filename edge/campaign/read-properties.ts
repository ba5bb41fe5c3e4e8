// Lists which properties of events a definition reads, by the names of these events, each with the place of its field.

import type { StoredDefinition } from '../domain/campaign.ts'
import { mustCompileCondition } from './expression/condition.ts'
import { listTemplatePaths } from './expression/read-paths.ts'

/** A property that a field reads. */
export interface ReadProperty {
  /** Of the field, such as `steps[0].title`. */
  path: string
  /** The keys below the properties of the event, such as `['items', '[]', 'sku']`. */
  keys: string[]
  /** The names of the events that it may be a property of: of one of them it is. */
  events: string[]
}

/** Fields with conditions; all other texts may be templates. */
const CONDITIONS = new Set(['where', 'when'])
const PROPERTIES = 'properties'
/** How a template names one of the events of a digest. */
const ONE_EVENT = /^(?:-?\d+|first|last|\[\])$/

/** @param definition One that was checked. */
export function listReadProperties(definition: Pick<StoredDefinition, 'trigger' | 'steps'>): ReadProperty[] {
  const { trigger, steps } = definition
  const awaited = listAwaitedNames(steps)
  const found: ReadProperty[] = []
  const add = (path: string, read: readonly string[], own: readonly string[]): void => {
    const [root, ...keys] = read
    const ofEvents = root === 'events' && ONE_EVENT.test(keys[0] ?? '') ? keys.slice(1) : []
    const inner = root === 'events' ? ofEvents : keys
    if (inner[0] !== PROPERTIES || inner.length < 2) return
    const events = root === 'awaited' ? own : [trigger.event]
    if (events.length > 0) found.push({ path, keys: inner.slice(1), events: [...events] })
  }
  const walk = (value: unknown, path: string, key: string, own: readonly string[]): void => {
    if (typeof value === 'string') {
      const paths = CONDITIONS.has(key) ? operandsOf(value) : listTemplatePaths(value)
      for (const read of paths) add(path, read, own)
      return
    }
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
      walk(inner, at, name, awaitedAt(value, name, own))
    }
  }
  if (typeof trigger.where === 'string') walk(trigger.where, 'trigger.where', 'where', [])
  walk(steps, 'steps', 'steps', awaited)
  return found
}

/** The condition of a waitFor is about the event that it waits for; elsewhere it may be that of any waitFor before. */
function awaitedAt(value: object, name: string, own: readonly string[]): readonly string[] {
  const isOwn = name === 'where' && 'type' in value && value.type === 'waitFor' && 'event' in value
  return isOwn ? [String(value.event)] : own
}

function listAwaitedNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'type' in value && value.type === 'waitFor' && 'event' in value ? [String(value.event)] : []
  return [...new Set([...own, ...Object.values(value).flatMap(listAwaitedNames)])]
}

function operandsOf(condition: string): string[][] {
  return mustCompileCondition(condition).operands.map(({ path }) => [...path])
}
