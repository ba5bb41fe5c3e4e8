// Parses an enricher: all faults at once, each with its path.

import type { ErrorDetail } from '../../../contract/errors.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Enricher } from '../enricher.ts'
import { createReader, isRecord, type Reader } from '../field-reader.ts'
import { KEY_GRAMMAR, KEY_RULE, MAX_KEY_CHARS } from '../key.ts'

const MAX_URL_CHARS = 2048
const DEFAULT_TIMEOUT_MS = 5000
/** Keeps three attempts and their pauses below CALL_LIMIT_MS. */
export const TIMEOUT_RANGE_MS = { min: 100, max: 10_000 } as const
export const CACHE_RANGE_SECONDS = { min: 0, max: 24 * 60 * 60 } as const

export type EnricherSettings = Pick<Enricher, 'url' | 'timeoutMs' | 'cacheSeconds'>

/** Returns whether the name is valid for an enricher. */
export function isEnricherName(name: string): boolean {
  return name.length <= MAX_KEY_CHARS && KEY_GRAMMAR.test(name)
}

/** Fills in defaults. @throws `request/invalid-body` with `details` */
export function parseEnricher(name: string, input: unknown): EnricherSettings {
  if (!isRecord(input)) throw new ApiError('request/invalid-body', { message: 'An enricher is an object.' })
  const faults: ErrorDetail[] = []
  if (name.length > MAX_KEY_CHARS) faults.push({ path: 'name', message: `At most ${MAX_KEY_CHARS} characters.` })
  else if (!KEY_GRAMMAR.test(name)) faults.push({ path: 'name', message: KEY_RULE })
  const reader = createReader(input, '', faults)
  const settings = {
    url: readUrl(reader),
    timeoutMs: readInteger(reader, 'timeoutMs', TIMEOUT_RANGE_MS) ?? DEFAULT_TIMEOUT_MS,
    cacheSeconds: readInteger(reader, 'cacheSeconds', CACHE_RANGE_SECONDS) ?? 0,
  }
  if (faults.length > 0) throw new ApiError('request/invalid-body', { details: faults })
  return settings
}

/** Unchanged: the address is checked at each call, as names and ranges change. */
function readUrl(reader: Reader): string {
  const text = reader.text('url', MAX_URL_CHARS) ?? ''
  if (text === '') return text
  const fault = findUrlFault(text)
  if (fault !== undefined) reader.fault('url', fault)
  return text
}

function findUrlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || text.trim() !== text || /\p{Cc}/u.test(text)) return 'This is no address.'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'This must begin with https://.'
  if (url.username !== '' || url.password !== '') return 'An address with user or password is not called.'
  if (text.includes('#')) return 'This must not have a fragment.'
  if (url.searchParams.has('name')) return 'The parameter name is ours: it says which enricher is called.'
  return undefined
}

function readInteger(reader: Reader, key: string, { min, max }: { min: number; max: number }): number | undefined {
  const value = reader.raw(key)
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  reader.fault(key, `This must be a whole number from ${min} to ${max}.`)
  return undefined
}
