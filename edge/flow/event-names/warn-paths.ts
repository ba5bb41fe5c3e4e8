// Warns of templates and conditions that read a field that there is not, or a property which no event had, with the nearest
// one that events have.

import type { MailWarning } from '../../../contract/resources/mail.ts'
import { listReadProperties, type ReadProperty } from '../../campaign/read-properties.ts'
import { listVainReads } from '../../campaign/vain-reads.ts'
import type { StoredDefinition } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import { isKnownPath, pathOfKeys } from '../../domain/tracking/property-path.ts'
import { distance } from '../../lib/edit-distance.ts'
import { createTimeSlices } from '../../lib/time-slices.ts'

/** Lists what the author of a definition should know of the properties that it reads. */
export type WarnPaths = (
  environmentId: number,
  definition: Pick<StoredDefinition, 'trigger' | 'steps'>,
) => Promise<MailWarning[]>

/** Of fewer samples, a property may just not have come. */
const LEAST_SAMPLES = 20
const MAX_WARNINGS = 50
/** Of one definition; further ones have no warnings. */
const MOST_READS = 5000
const MAX_NAMES = 50
const MAX_PATH_CHARS = 100

/** What is known of a name. */
interface Learned {
  sampled: number
  paths: ReadonlySet<string>
}

type Known = ReadonlyMap<string, Learned>

export function createWarnPaths({ eventNames }: Pick<Core, 'eventNames'>): WarnPaths {
  async function readKnown(environmentId: number, reads: readonly ReadProperty[]): Promise<Known> {
    const lists = new Set(reads.map(({ events }) => events))
    const names = [...new Set([...lists].flat())].slice(0, MAX_NAMES)
    const [kept, pathsOf] = await Promise.all([
      eventNames.findMany(environmentId, names),
      eventNames.listPaths(environmentId, names),
    ])
    // Where paths were left out, one of them may be meant.
    const known = kept.filter(({ sampled, isCut }) => !isCut && sampled >= LEAST_SAMPLES)
    return new Map(
      known.map(({ name, sampled }) => [
        name,
        { sampled, paths: new Set((pathsOf.get(name) ?? []).map(({ path }) => path)) },
      ]),
    )
  }

  return async (environmentId, definition) => {
    const endSlice = createTimeSlices()
    const warnings: MailWarning[] = []
    for (const warning of listVainReads(definition)) {
      if (warnings.push(warning) === MAX_WARNINGS) return warnings
      await endSlice()
    }
    const reads: ReadProperty[] = []
    for (const read of listReadProperties(definition)) {
      if (reads.push(read) === MOST_READS) break
      await endSlice()
    }
    if (reads.length === 0) return warnings
    const known = await readKnown(environmentId, reads)
    const compare = createCompare()
    const told = new Map<ReadProperty['events'], Set<string>>()
    for (const read of reads) {
      const ofEvents = told.get(read.events) ?? new Set()
      told.set(read.events, ofEvents)
      const property = pathOfKeys(read.keys).slice(0, MAX_PATH_CHARS)
      const isNew = !ofEvents.has(`${read.path} ${property}`)
      const warning = isNew ? toWarning(read, property, known, compare) : undefined
      if (warning !== undefined) {
        ofEvents.add(`${read.path} ${property}`)
        if (warnings.push(warning) === MAX_WARNINGS) break
      }
      await endSlice()
    }
    return warnings
  }
}

/** @returns Undefined for a property that one of the events has, or may have. */
function toWarning(
  { path, keys, events }: ReadProperty,
  property: string,
  learned: Known,
  compare: Compare,
): MailWarning | undefined {
  const known = events.flatMap((name) => learned.get(name) ?? [])
  if (known.length < events.length || known.some(({ paths }) => isKnownPath(paths, keys))) return undefined
  const sampled = known.reduce((sum, one) => sum + one.sampled, 0)
  const nearest = findNearest(property, known, compare)
  const hint = nearest === undefined ? '' : ` The nearest that they have is ${nearest}.`
  const message = `No ${events.join(' or ')} has the property ${property}: none of ${sampled} that were read.${hint}`
  return { path, line: null, message }
}

/** Letters that are compared with each other for one definition: some 20 ms. What is beyond has no hint. */
const MOST_COMPARED = 1_000_000

type Compare = (left: string, right: string) => number

function createCompare(): Compare {
  let left = MOST_COMPARED
  return (one, other) => {
    left -= one.length * other.length
    return left < 0 ? Number.POSITIVE_INFINITY : distance(one, other)
  }
}

/** @returns The path with the fewest other letters, or with the same last key; undefined when none is near. */
function findNearest(read: string, known: Learned[], compare: Compare): string | undefined {
  const last = lastKey(read)
  let best: { path: string; distance: number } | undefined
  for (const path of new Set(known.flatMap(({ paths }) => [...paths]))) {
    const most = Math.max(1, Math.floor(read.length / 3))
    const away =
      lastKey(path) === last ? 1 : Math.abs(path.length - read.length) > most ? most + 1 : compare(read, path)
    if (away <= most && (best === undefined || away < best.distance)) best = { path, distance: away }
  }
  return best?.path
}

const lastKey = (path: string) => path.slice(path.lastIndexOf('.') + 1)
