// Reads what was learned of events: names, and properties with examples from the newest events.

import type { EventNameAnswer, EventPropertiesAnswer } from '../../../contract/resources/event-name.ts'
import { formatValue, isSecretName } from '../../campaign/trace.ts'
import type { Core } from '../../domain/core.ts'
import type { CountedPath, KeptName } from '../../domain/event-names.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import type { LearnEvents } from './learn-events.ts'
import { type Inner, NOBODY, visitPaths } from './read-paths.ts'

export interface ReadEventNames {
  /** Newest first. */
  list(
    environmentId: number,
    query: { q?: string | undefined; cursor?: string | undefined; limit: number },
  ): Promise<{ data: EventNameAnswer[]; nextCursor: string | null }>
  /** @throws `request/not-found` for a name that never came */
  getProperties(environmentId: number, name: string): Promise<EventPropertiesAnswer>
}

/** Examples are not learned: the erasure and retention of events hold for them, because they are read from events. */
const NEWEST = { events: 20, chars: 32_768 }
const MOST_EXAMPLES = 5
const MAX_EXAMPLE_CHARS = 60

type Example = string | number | boolean

export function createReadEventNames({
  eventNames,
  learnEvents,
}: Pick<Core, 'eventNames'> & {
  /** Absent beside a running server. */
  learnEvents?: Pick<LearnEvents, 'settle'>
}): ReadEventNames {
  return {
    async list(environmentId, { q, cursor, limit }) {
      const name = { list: 'event-names', of: environmentId }
      const before = parseCursor(name, cursor)
      // A caller finds what this node has answered for, without waiting for the next write.
      await learnEvents?.settle()
      const found = await eventNames.listPage(environmentId, q, before, limit + 1)
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const isMore = found.length > limit && last !== undefined
      return { data: page.map(toName), nextCursor: isMore ? encodeCursor(name, last.place) : null }
    },
    async getProperties(environmentId, name) {
      await learnEvents?.settle()
      const [kept] = await eventNames.findMany(environmentId, [name])
      if (kept === undefined) {
        throw new ApiError('request/not-found', { message: 'No event of this name came to this environment.' })
      }
      const [pathsOf, recent] = await Promise.all([
        eventNames.listPaths(environmentId, [name]),
        eventNames.listRecent(environmentId, name, NEWEST),
      ])
      const examples = gatherExamples(recent)
      const toPath = ({ path, types, present, lastAt }: CountedPath) => ({
        path,
        types: Object.fromEntries(Object.entries(types).filter(([, count]) => count > 0)),
        missing: Math.max(0, kept.sampled - present),
        examples: [...(examples.get(path) ?? [])],
        lastAt: toIso(lastAt),
      })
      const { sampled: events, isCut } = kept
      return { ...toName(kept), events, isCut, paths: (pathsOf.get(name) ?? []).map(toPath) }
    },
  }
}

function toName({ name, events: count, firstAt, lastAt }: KeptName): EventNameAnswer {
  return { name, count, firstAt: toIso(firstAt), lastAt: toIso(lastAt) }
}

/** @returns Different values by path, those of the newest events first. */
function gatherExamples(events: readonly object[]): Map<string, Set<Example>> {
  const found = new Map<string, Set<Example>>()
  for (const event of events) {
    visitPaths(event, NOBODY, (inner) => {
      const known = found.get(inner.path) ?? new Set()
      if (known.size === MOST_EXAMPLES) return
      const example = toExample(inner)
      if (example !== undefined) found.set(inner.path, known.add(example))
    })
  }
  return found
}

/** @returns Undefined for a value that is no example: empty, long, or secret by its name or form. */
function toExample(inner: Inner): Example | undefined {
  const { value } = inner
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  if (typeof value === 'string' && (value === '' || value.length > MAX_EXAMPLE_CHARS)) return undefined
  if (formatValue(value) !== value) return undefined
  for (let at: Inner | null = inner; at !== null; at = at.outer) if (isSecretName(at.name)) return undefined
  return value
}
