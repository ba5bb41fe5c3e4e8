// Reads the filters of the delivery history from the address, and turns them into the query of the API.

import { CHANNELS, ENGAGEMENTS, MESSAGE_STATUSES, WINDOWS } from '../../../contract/delivery.ts'
import type { Query } from '../../api/addresses.ts'
import { formatZoned } from '../../lib/format.ts'
import { toInstant } from '../../lib/instant.ts'
import { reasonName } from '../../lib/reasons.ts'

export const PAGE_ROWS = 100

/** Names of the filters in the address; those of `GET /v1/deliveries`. */
export const FILTER_NAMES = [
  'campaignId',
  'userId',
  'channel',
  'status',
  'statusReason',
  'engagement',
  'branch',
  'window',
  'from',
  'to',
  'messageId',
  'correlationId',
  'eventId',
] as const
export type FilterName = (typeof FILTER_NAMES)[number]
export type Filters = Readonly<Partial<Record<FilterName, string>>>

/** Filters with a closed list of values; another value in an address is ignored. */
const CHOICES: Readonly<Partial<Record<FilterName, readonly string[]>>> = {
  channel: CHANNELS,
  status: MESSAGE_STATUSES,
  engagement: ENGAGEMENTS,
  window: WINDOWS,
}

export function parseFilters(query: URLSearchParams): Filters {
  const entries = FILTER_NAMES.flatMap((name) => {
    const value = query.get(name)
    if (value === null || (value === '' && name !== 'branch')) return []
    if (name === 'from' || name === 'to') return instantEntry(name, value)
    const choices = CHOICES[name]
    return choices === undefined || choices.includes(value) ? [[name, value] as const] : []
  })
  return Object.fromEntries(entries)
}

/** Links of former releases have local times. */
function instantEntry(name: 'from' | 'to', value: string): (readonly [FilterName, string])[] {
  const instant = toInstant(value)
  return instant === undefined ? [] : [[name, instant]]
}

/** @returns The query of the API for the first page of the list. */
export const firstQuery = (filters: Filters): Query => ({ ...filters, limit: PAGE_ROWS })

/** @returns The filter that a text in the search field means, by the prefix of an id. */
export function searchOf(text: string): Filters {
  const id = text.trim()
  if (id === '') return {}
  if (id.startsWith('msg_')) return { messageId: id }
  if (id.startsWith('evt_')) return { eventId: id }
  return { correlationId: id }
}

/** @returns The text of the search field for the filters of an address. */
export function searchText({ messageId, eventId, correlationId }: Filters): string {
  return messageId ?? eventId ?? correlationId ?? ''
}

const LABELS: Readonly<Record<FilterName, string>> = {
  campaignId: 'Campaign',
  userId: 'Recipient',
  channel: 'Channel',
  status: 'Status',
  statusReason: 'Reason',
  engagement: 'Engagement',
  branch: 'Branch',
  window: 'Time',
  from: 'From',
  to: 'To',
  messageId: 'Message',
  correlationId: 'Correlation',
  eventId: 'Event',
}

export interface Chip {
  name: FilterName
  label: string
  value: string
}

/** @returns The filters as they are shown above the table. @param nameOf The name of a campaign by its id. */
export function chipsOf(filters: Filters, nameOf: (campaignId: string) => string): Chip[] {
  return FILTER_NAMES.flatMap((name) => {
    const value = filters[name]
    if (value === undefined) return []
    return [{ name, label: LABELS[name], value: wordsOf(name, value, nameOf) }]
  })
}

const WINDOW_WORDS: Readonly<Record<string, string>> = {
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
  all: 'all time',
}

function wordsOf(name: FilterName, value: string, nameOf: (campaignId: string) => string): string {
  if (name === 'campaignId') return nameOf(value)
  if (name === 'statusReason') return reasonName(value)
  if (name === 'window') return WINDOW_WORDS[value] ?? value
  if (name === 'branch' && value === '') return 'before any branch'
  return name === 'from' || name === 'to' ? formatZoned(value) : value
}
