// Parses a user's preferences: all faults at once, each with its path.

import { CHANNELS } from '../../../contract/delivery.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { MAX_KEY_CHARS } from '../../../contract/key.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createReader, type Reader } from '../field-reader.ts'
import { findMinutes, isTimeZone, type QuietHours } from './quiet-hours.ts'
import type { ChannelChoice, PreferencesChange } from './send-rules.ts'

const MAX_ENTRIES = 1000
const MAX_ZONE_CHARS = 64
const TIME_RULE = 'This must be a time of day from 00:00 to 23:59, such as 22:00.'

/** `isKnown`: whether the environment has the category. @throws `request/invalid-body` with `details` */
export function parsePreferences(
  input: Record<string, unknown>,
  isKnown: (category: string) => boolean,
): PreferencesChange {
  const faults: ErrorDetail[] = []
  const reader = createReader(input, '', faults)
  const change: PreferencesChange = { choices: readChoices(reader, isKnown) }
  if (reader.isNull('quietHours')) change.quietHours = null
  else if (reader.has('quietHours')) change.quietHours = readQuietHours(reader)
  else if (!reader.has('categories')) reader.fault('', 'Give categories, quietHours or both.')
  if (faults.length > 0) throw new ApiError('request/invalid-body', { details: faults })
  return change
}

function readChoices(reader: Reader, isKnown: (category: string) => boolean): PreferencesChange['choices'] {
  const choices = new Map<string, ChannelChoice>()
  for (const item of reader.objects('categories', MAX_ENTRIES) ?? []) {
    const key = item.text('key', MAX_KEY_CHARS)
    if (key !== undefined && choices.has(key)) item.fault('key', 'Another entry has this key.')
    else if (key !== undefined && !isKnown(key)) item.fault('key', 'This environment has no category of this key.')
    if (!item.has('channels')) item.fault('channels', 'This is missing.')
    const choice = readChannels(item.object('channels'))
    if (key !== undefined) choices.set(key, choice)
  }
  return Object.fromEntries(choices)
}

function readChannels(reader: Reader | undefined): ChannelChoice {
  const choice: ChannelChoice = {}
  for (const channel of CHANNELS) {
    const wanted = reader?.raw(channel)
    if (typeof wanted === 'boolean') choice[channel] = wanted
    else if (wanted !== undefined) reader?.fault(channel, 'This must be true or false.')
  }
  return choice
}

function readQuietHours(reader: Reader): QuietHours | null {
  const hours = reader.object('quietHours')
  if (hours === undefined) return null
  const [start, end] = [readTime(hours, 'start'), readTime(hours, 'end')]
  if (start !== undefined && start === end) hours.fault('end', 'This must be another time than start.')
  const timeZone = hours.optionalText('timeZone', MAX_ZONE_CHARS) ?? null
  if (timeZone !== null && !isTimeZone(timeZone)) {
    hours.fault('timeZone', 'This is no time zone such as Europe/London.')
  }
  return { start: start ?? '', end: end ?? '', timeZone }
}

function readTime(reader: Reader, key: string): string | undefined {
  if (!reader.has(key)) reader.fault(key, 'This is missing.')
  const value = reader.raw(key)
  if (value === undefined) return undefined
  if (typeof value === 'string' && findMinutes(value) !== undefined) return value
  reader.fault(key, TIME_RULE)
  return undefined
}
