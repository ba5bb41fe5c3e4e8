// Lists the values that templates and conditions of a draft may read: those of every run, of the event, of the sample.

import { printProperty } from '../../editor/clicks.ts'
import { type Draft, isObject, walkSteps } from '../../editor/step-tree.ts'
import type { KnownPath } from './forms/form-context.ts'

/** What the service has learned of the events of a name. */
export interface LearnedPath {
  /** Below `event.properties`, such as `total`, `items[].sku` or `["odd key"]`. */
  path: string
  types: Readonly<Record<string, number | undefined>>
  examples: readonly unknown[]
}

const ALWAYS: readonly KnownPath[] = [
  { path: 'user.id', types: ['string'], examples: [] },
  { path: 'user.name', types: ['string'], examples: [] },
  { path: 'user.email', types: ['string'], examples: [] },
  { path: 'user.locale', types: ['string'], examples: ['en'] },
  { path: 'user.timeZone', types: ['string'], examples: ['Europe/Berlin'] },
  { path: 'event.name', types: ['string'], examples: [] },
  { path: 'event.occurredAt', types: ['string'], examples: [] },
]

interface Source {
  event?: { properties?: unknown }
  user?: { attributes?: unknown }
}

/** @param sample the event and the user that the draft is tried with */
export function knownPaths(draft: Draft, learned: readonly LearnedPath[], sample: Source | undefined): KnownPath[] {
  const found = [
    ...learned.flatMap(fromLearned),
    ...fromValue('event.properties', sample?.event?.properties),
    ...ALWAYS,
    ...fromValue('user.attributes', sample?.user?.attributes),
    ...walkSteps(draft).flatMap(({ step: { id, type } }) =>
      type === 'enrich' && typeof id === 'string'
        ? [{ path: printProperty(['enriched', id]), types: [], examples: [] }]
        : [],
    ),
  ]
  // The first of each path: what was learned of many events says more than one event.
  return [...new Map(found.toReversed().map((one) => [one.path, one])).values()].toReversed()
}

/** Values in lists have no path of their own in an expression. */
function fromLearned({ path, types, examples }: LearnedPath): KnownPath[] {
  if (path.includes('[]') || path.split('.').includes('*')) return []
  const names = Object.entries(types).flatMap(([type, count]) => (count ? [type] : []))
  return [{ path: `event.properties${path.startsWith('[') ? '' : '.'}${path}`, types: names, examples }]
}

/** So deep and so many of one event: more is no help in a list. */
const MAX_DEPTH = 4
const MAX_KEYS = 100

function fromValue(path: string, value: unknown, depth = 0): KnownPath[] {
  if (!isObject(value) || depth === MAX_DEPTH) return []
  return Object.entries(value)
    .slice(0, MAX_KEYS)
    .flatMap(([key, inner]) => {
      const own = printProperty([path, key])
      return [
        { path: own, types: [typeOf(inner)], examples: isObject(inner) || Array.isArray(inner) ? [] : [inner] },
        ...fromValue(own, inner, depth + 1),
      ]
    })
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
