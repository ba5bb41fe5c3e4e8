// Parses the settings of a source and its mappings: all faults at once, each with its path.

import type { ErrorDetail } from '../../../contract/errors.ts'
import { CONNECTOR_PLATFORMS, type ConnectorPlatform, type SourceMapping } from '../../../contract/tenant.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createReader, isRecord, type Reader } from '../field-reader.ts'
import { NAME, NAME_RULE } from '../tenant/parse-name.ts'
import { findEventNameFault } from '../tracking/event-name.ts'
import { EXTERNAL_SYSTEM } from '../user.ts'
import type { SourceChecks } from './connector.ts'
import { readHmacSettings } from './hmac-settings.ts'
import { isPath, MAX_PATH_CHARS, PATH_RULE, readActions } from './mapping-actions.ts'

export const MAX_MAPPINGS = 200
export const MAX_USER_PATHS = 10
export const MAX_TRAITS = 50
export const MAX_TYPE_CHARS = 256
/** Each is compiled when it is saved. */
export const MAX_CONDITIONS = 50
export const MAX_TRAIT_CHARS = 128
export const MAX_SECRET_CHARS = 512

const WORD = /^[^\p{Cc}\p{Cs}]+$/u
/** Spaces at an end would be the trace of a bad copy. */
const SECRET = new RegExp(`^[\\x21-\\x7e]{1,${MAX_SECRET_CHARS}}$`)
const SECRET_RULE = `1 to ${MAX_SECRET_CHARS} visible characters of ASCII, without spaces.`
const EVENT_RULE = 'words of letters and digits, joined by one of . _ : / - or a space, without nc. in front.'
/** None of them can be null. */
const SETTINGS = [
  'settings',
  'name',
  'provider',
  'mappings',
  'requireV3',
  'allowUnsignedBatchTail',
  'verificationSecret',
]
const MAPPING_FIELDS = [
  'providerEvent',
  'event',
  'userIdPath',
  'propertiesPath',
  'traits',
  'drop',
  'where',
  'identify',
  'joinTopic',
]

/** What people set of a source. */
export interface SourceSettings extends SourceChecks {
  name: string
  provider: ConnectorPlatform
  /** Undefined: those of the platform. */
  mappings: SourceMapping[] | undefined
}

/** A source that is to be created. */
export interface NewSource extends SourceSettings {
  verificationSecret: string | undefined
}

/** @throws `request/invalid-body` with `details` */
export function parseNewSource(input: unknown): NewSource {
  return parse(input, 'A source is an object.', (reader) => {
    if (!reader.has('name') && !reader.isNull('name')) reader.fault('name', 'This is missing.')
    const provider = readProvider(reader)
    const first = {
      name: '',
      provider,
      mappings: undefined,
      // The former schemes of HubSpot have no time: whoever removes the headers of version 3 could send again.
      requireV3: provider === 'hubspot',
      allowUnsignedBatchTail: false,
      settings: null,
    }
    return { ...readSettings(reader, first), verificationSecret: readSecret(reader) }
  })
}

/**
 * Fields that the input does not name stay as they are.
 * @throws `request/invalid-body` with `details`
 */
export function parseSourceChange(input: unknown, former: SourceSettings): SourceSettings {
  return parse(input, 'A source is an object.', (reader) => {
    if (reader.has('provider') && reader.raw('provider') !== former.provider) {
      reader.fault('provider', 'The platform of a source cannot change.')
    }
    // The verification goes on with the former secret, so nothing may look as if it were replaced.
    if (reader.has('verificationSecret')) {
      reader.fault('verificationSecret', 'A secret is replaced by rotate or emergency of the source.')
    }
    return readSettings(reader, former)
  })
}

function readSettings(reader: Reader, former: SourceSettings): SourceSettings {
  for (const key of SETTINGS) {
    if (reader.isNull(key)) reader.fault(key, 'This cannot be null.')
  }
  const name = reader.optionalText('name', 1000) ?? former.name
  if (reader.has('name') && name.trim() !== '' && !NAME.test(name)) reader.fault('name', NAME_RULE)
  return {
    name,
    provider: former.provider,
    mappings: readMappings(reader) ?? former.mappings,
    requireV3: readFlag(reader, 'requireV3') ?? former.requireV3,
    allowUnsignedBatchTail: readFlag(reader, 'allowUnsignedBatchTail') ?? former.allowUnsignedBatchTail,
    settings: readHmac(reader, former),
  }
}

/** Only a source of any HMAC has settings of its signature, and it cannot be without. */
function readHmac(reader: Reader, { provider, settings }: SourceSettings): SourceSettings['settings'] {
  const given = reader.object('settings')
  if (provider !== 'hmac') {
    if (given !== undefined) reader.fault('settings', 'Only a source of the provider hmac has settings.')
    return null
  }
  if (given !== undefined) return readHmacSettings(given, isPath)
  if (settings === null && !reader.has('settings')) reader.fault('settings', 'This is missing.')
  return settings
}

/** @throws `request/invalid-body` with `details` */
export function parseMappings(input: unknown): { provider: ConnectorPlatform; mappings: SourceMapping[] | undefined } {
  return parse(input, 'A trial is an object.', (reader) => ({
    provider: readProvider(reader),
    mappings: readMappings(reader),
  }))
}

/** @returns The value that a change of a secret names, if any. @throws `request/invalid-body` with `details` */
export function parseGivenSecret(input: unknown): string | undefined {
  return parse(input, 'The body is an object.', readSecret)
}

function parse<T>(input: unknown, message: string, read: (reader: Reader) => T): T {
  if (!isRecord(input)) throw new ApiError('request/invalid-body', { message })
  const faults: ErrorDetail[] = []
  const parsed = read(createReader(input, '', faults))
  if (faults.length > 0) throw new ApiError('request/invalid-body', { details: faults })
  return parsed
}

function readProvider(reader: Reader): ConnectorPlatform {
  if (!reader.has('provider')) reader.fault('provider', 'This is missing.')
  return reader.oneOf('provider', CONNECTOR_PLATFORMS) ?? 'segment'
}

function readFlag(reader: Reader, key: string): boolean | undefined {
  const value = reader.raw(key)
  if (value === undefined || typeof value === 'boolean') return value
  reader.fault(key, 'This must be true or false.')
  return undefined
}

function readSecret(reader: Reader): string | undefined {
  const value = reader.raw('verificationSecret')
  if (value === undefined) return undefined
  if (typeof value === 'string' && SECRET.test(value)) return value
  reader.fault('verificationSecret', SECRET_RULE)
  return undefined
}

function readMappings(reader: Reader): SourceMapping[] | undefined {
  const items = reader.objects('mappings', MAX_MAPPINGS)
  const seen = new Set<string>()
  const filters = items?.filter((item) => item.has('where')) ?? []
  if (filters.length > MAX_CONDITIONS) reader.fault('mappings', `At most ${MAX_CONDITIONS} have a condition.`)
  return items?.map((item) => {
    const mapping = readMapping(item)
    if (seen.has(mapping.providerEvent)) item.fault('providerEvent', 'Another mapping has this type.')
    if (mapping.providerEvent !== '') seen.add(mapping.providerEvent)
    return mapping
  })
}

function readMapping(reader: Reader): SourceMapping {
  for (const key of reader.keys()) {
    if (!MAPPING_FIELDS.includes(key)) reader.fault(key, 'A mapping has no such field.')
  }
  const providerEvent = reader.text('providerEvent', MAX_TYPE_CHARS) ?? ''
  if (providerEvent !== '' && !WORD.test(providerEvent)) reader.fault('providerEvent', 'No control characters.')
  const traits = readTraits(reader)
  return {
    providerEvent,
    event: readEvent(reader),
    userIdPath: readUserIdPath(reader),
    // Empty: the whole item.
    propertiesPath: reader.raw('propertiesPath') === '' ? '' : readPath(reader, 'propertiesPath'),
    ...(traits !== undefined && { traits }),
    ...readActions(reader),
  }
}

function readEvent(reader: Reader): string | null {
  const value = reader.raw('event')
  if (value === undefined) return null
  const fault = findEventNameFault(value)
  if (fault === undefined) return String(value)
  reader.fault('event', `This is no name of an event (${fault.reason}): ${EVENT_RULE}`, fault.position)
  return null
}

function readUserIdPath(reader: Reader): string | string[] | null {
  const value = reader.raw('userIdPath')
  if (value === undefined) return null
  const paths = [value].flat()
  const message = `One path, or a list of 1 to ${MAX_USER_PATHS}. ${PATH_RULE}`
  if (paths.length === 0 || paths.length > MAX_USER_PATHS) reader.fault('userIdPath', message)
  const isList = Array.isArray(value)
  for (const [index, path] of paths.slice(0, MAX_USER_PATHS).entries()) {
    const isFit = typeof path === 'string' && isPath(path) && isLookup(path)
    if (!isFit) reader.fault(isList ? `userIdPath[${index}]` : 'userIdPath', message)
  }
  return value as string | string[]
}

/** A path of a look-up names a system and a path inside the item. */
function isLookup(path: string): boolean {
  if (!path.startsWith('external:')) return true
  const [, system = '', ...rest] = path.split(':')
  return EXTERNAL_SYSTEM.test(system) && rest.join(':') !== ''
}

function readPath(reader: Reader, key: string): string | null {
  const path = reader.optionalText(key, MAX_PATH_CHARS)
  if (path !== undefined && !isPath(path)) reader.fault(key, PATH_RULE)
  return path ?? null
}

function readTraits(reader: Reader): string[] | undefined {
  const value = reader.raw('traits')
  if (value === undefined) return undefined
  if (!Array.isArray(value)) {
    reader.fault('traits', 'This must be a list.')
    return undefined
  }
  if (value.length > MAX_TRAITS) reader.fault('traits', `At most ${MAX_TRAITS} items.`)
  return value.slice(0, MAX_TRAITS).filter((trait: unknown, index): trait is string => {
    const isName = typeof trait === 'string' && WORD.test(trait) && trait.length <= MAX_TRAIT_CHARS
    if (!isName) reader.fault(`traits[${index}]`, `A name of 1 to ${MAX_TRAIT_CHARS} characters.`)
    return isName
  })
}
