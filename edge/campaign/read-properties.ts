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
  events: readonly string[]
}

/** Fields with conditions; all other texts may be templates. */
const CONDITIONS = new Set(['where', 'when'])
/** Fields whose keys are the customer's. */
const FREE = new Set(['data', 'params'])
const PROPERTIES = 'properties'
const EVENTS = new Set(['event', 'events', 'awaited'])
/** How a template names one of the events of a digest. */
const ONE_EVENT = /^(?:-?\d+|first|last|\[\])$/

/** A condition, or a text that may be a template. */
export interface WrittenText {
  /** Of the field, such as `steps[0].title`. */
  path: string
  text: string
  isCondition: boolean
  /** The names of the events that `awaited` may be there. */
  awaited: readonly string[]
}

/** @param definition One that was checked. Its fields are read one by one, as there may be thousands. */
export function* listReadProperties(definition: Pick<StoredDefinition, 'trigger' | 'steps'>): Generator<ReadProperty> {
  const begins = [definition.trigger.event]
  for (const { path, text, isCondition, awaited } of listTexts(definition)) {
    for (const [root = '', ...keys] of isCondition ? operandsOf(text) : listTemplatePaths(text)) {
      const ofEvents = root === 'events' && ONE_EVENT.test(keys[0] ?? '') ? keys.slice(1) : []
      const inner = root === 'events' ? ofEvents : keys
      if (!EVENTS.has(root) || inner[0] !== PROPERTIES || inner.length < 2) continue
      const events = root === 'awaited' ? awaited : begins
      if (events.length > 0) yield { path, keys: inner.slice(1), events }
    }
  }
}

/** Lists the conditions and other texts of a definition. */
export function* listTexts({ trigger, steps }: Pick<StoredDefinition, 'trigger' | 'steps'>): Generator<WrittenText> {
  function* walk(value: unknown, path: string, key: string | null, own: readonly string[]): Generator<WrittenText> {
    const isCondition = key !== null && CONDITIONS.has(key)
    if (typeof value === 'string') yield { path, text: value, isCondition, awaited: own }
    if (typeof value !== 'object' || value === null) return
    const isFree = key === null || FREE.has(key)
    for (const [name, inner] of Object.entries(value)) {
      const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
      yield* walk(inner, at, isFree ? null : name, isFree ? own : awaitedAt(value, name, own))
    }
  }
  if (typeof trigger.where === 'string') yield* walk(trigger.where, 'trigger.where', 'where', [])
  yield* walk(steps, 'steps', 'steps', listAwaitedNames(steps))
}

/** The condition of a waitFor is about the event that it waits for; elsewhere it may be that of any waitFor before. */
function awaitedAt(value: object, name: string, own: readonly string[]): readonly string[] {
  const isOwn = name === 'where' && 'type' in value && value.type === 'waitFor' && 'event' in value
  return isOwn ? [String(value.event)] : own
}

function listAwaitedNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'type' in value && value.type === 'waitFor' && 'event' in value ? [String(value.event)] : []
  const inner = Object.entries(value).flatMap(([name, one]) => (FREE.has(name) ? [] : listAwaitedNames(one)))
  return [...new Set([...own, ...inner])]
}

/** @returns The paths that a condition reads, such as `['event', 'properties', 'total']`. */
export function operandsOf(condition: string): string[][] {
  return mustCompileCondition(condition).operands.map(({ path }) => [...path])
}
