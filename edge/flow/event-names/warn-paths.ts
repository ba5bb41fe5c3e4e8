// Warns of templates and conditions that read a property which no event had, with the nearest one that events have.

import type { MailWarning } from '../../../contract/resources/mail.ts'
import { listReadProperties, type ReadProperty } from '../../campaign/read-properties.ts'
import type { StoredDefinition } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import { isKnownPath, pathOfKeys } from '../../domain/tracking/property-path.ts'
import { distance } from '../../lib/edit-distance.ts'

/** Lists what the author of a definition should know of the properties that it reads. */
export type WarnPaths = (
  environmentId: number,
  definition: Pick<StoredDefinition, 'trigger' | 'steps'>,
) => Promise<MailWarning[]>

/** Of fewer samples, a property may just not have come. */
const LEAST_SAMPLES = 20
const MAX_WARNINGS = 50
const MAX_NAMES = 50
const MAX_PATH_CHARS = 100

/** What is known of a name. */
interface Learned {
  sampled: number
  paths: ReadonlySet<string>
}

export function createWarnPaths({ eventNames }: Pick<Core, 'eventNames'>): WarnPaths {
  return async (environmentId, definition) => {
    const reads = listReadProperties(definition)
    const names = [...new Set(reads.flatMap(({ events }) => events))].slice(0, MAX_NAMES)
    if (names.length === 0) return []
    const [kept, pathsOf] = await Promise.all([
      eventNames.findMany(environmentId, names),
      eventNames.listPaths(environmentId, names),
    ])
    const learned = new Map<string, Learned>()
    for (const { name, sampled, isCut } of kept) {
      // Where paths were left out, one of them may be meant.
      if (isCut || sampled < LEAST_SAMPLES) continue
      learned.set(name, { sampled, paths: new Set((pathsOf.get(name) ?? []).map(({ path }) => path)) })
    }
    const warnings = reads.flatMap((read) => toWarning(read, learned) ?? [])
    return [...new Map(warnings.map((one) => [JSON.stringify(one), one])).values()].slice(0, MAX_WARNINGS)
  }
}

/** @returns Undefined for a property that one of the events has, or may have. */
function toWarning(
  { path, keys, events }: ReadProperty,
  learned: ReadonlyMap<string, Learned>,
): MailWarning | undefined {
  const known = events.flatMap((name) => learned.get(name) ?? [])
  if (known.length < events.length || known.some(({ paths }) => isKnownPath(paths, keys))) return undefined
  const read = pathOfKeys(keys).slice(0, MAX_PATH_CHARS)
  const sampled = known.reduce((sum, one) => sum + one.sampled, 0)
  const nearest = findNearest(read, known)
  const hint = nearest === undefined ? '' : ` The nearest that they have is ${nearest}.`
  const message = `No ${events.join(' or ')} has the property ${read}: none of ${sampled} that were read.${hint}`
  return { path, line: null, message }
}

/** @returns The path with the fewest other letters, or with the same last key; undefined when none is near. */
function findNearest(read: string, known: Learned[]): string | undefined {
  const last = lastKey(read)
  let best: { path: string; distance: number } | undefined
  for (const path of new Set(known.flatMap(({ paths }) => [...paths]))) {
    const most = Math.max(1, Math.floor(read.length / 3))
    const away =
      lastKey(path) === last ? 1 : Math.abs(path.length - read.length) > most ? most + 1 : distance(read, path)
    if (away <= most && (best === undefined || away < best.distance)) best = { path, distance: away }
  }
  return best?.path
}

const lastKey = (path: string) => path.slice(path.lastIndexOf('.') + 1)
