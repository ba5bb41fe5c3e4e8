// Parses the mappings of a source: all faults at once, each with its path.

import type { ErrorDetail } from '../../../contract/errors.ts'
import type { SourceMapping } from '../../../contract/tenant.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createReader, type Reader } from '../field-reader.ts'
import { findEventNameFault } from '../tracking/event-name.ts'

const MAX_MAPPINGS = 100
const MAX_TRAITS = 100
const MAX_TEXT_CHARS = 200
/** Names joined by dots, each with any number of indexes: `data.items[0].id`. */
const PATH = /^[^.[\]\p{Cc}\p{Cs}]+(?:\[\d{1,4}\])*(?:\.[^.[\]\p{Cc}\p{Cs}]+(?:\[\d{1,4}\])*)*$/u

/** @throws ApiError `request/invalid-body` with `details`, such as of `mappings[2].userIdPath` */
export function parseMappings(input: unknown): SourceMapping[] {
  const faults: ErrorDetail[] = []
  const readers = createReader({ mappings: input }, '', faults).objects('mappings', MAX_MAPPINGS) ?? []
  const seen = new Set<string>()
  const mappings = readers.map((reader) => readMapping(reader, seen))
  if (faults.length > 0) throw new ApiError('request/invalid-body', { details: faults })
  return mappings
}

function readMapping(reader: Reader, seen: Set<string>): SourceMapping {
  const providerEvent = reader.text('providerEvent', MAX_TEXT_CHARS) ?? ''
  if (providerEvent !== '' && seen.has(providerEvent)) {
    reader.fault('providerEvent', 'Another mapping has this type already.')
  }
  if (/[\p{Cc}\p{Cs}]/u.test(providerEvent)) reader.fault('providerEvent', 'No control character.')
  seen.add(providerEvent)
  const traits = readTraits(reader)
  return {
    providerEvent,
    event: readEvent(reader),
    userIdPath: readPath(reader, 'userIdPath'),
    propertiesPath: readPath(reader, 'propertiesPath'),
    ...(traits.length > 0 && { traits }),
  }
}

function readEvent(reader: Reader): string | null {
  const name = reader.optionalText('event', MAX_TEXT_CHARS)
  const fault = name === undefined ? undefined : findEventNameFault(name)
  if (fault !== undefined) reader.fault('event', `This is no name of an event: ${fault.reason}.`, fault.position)
  return name ?? null
}

function readPath(reader: Reader, key: 'userIdPath' | 'propertiesPath'): string | null {
  const path = reader.optionalText(key, MAX_TEXT_CHARS)
  if (path !== undefined && !PATH.test(path)) reader.fault(key, 'This is no path such as data.items[0].id.')
  return path ?? null
}

function readTraits(reader: Reader): string[] {
  const traits = reader.raw('traits') ?? []
  const isList = Array.isArray(traits) && traits.length <= MAX_TRAITS
  if (isList && traits.every((trait) => typeof trait === 'string' && /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(trait)))
    return traits
  reader.fault('traits', `This must be a list of at most ${MAX_TRAITS} names of traits.`)
  return []
}
