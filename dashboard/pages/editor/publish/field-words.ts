// Names the fields of a definition, and says two values of one, in words.

import { durationWords } from '../../../lib/duration-words.ts'

/** Longer texts are cut around their difference. */
const MOST_CHARS = 60
const CONTEXT_CHARS = 12

/** Fields of the campaign, by their paths. */
export const CAMPAIGN_FIELDS: Readonly<Record<string, string>> = {
  name: 'Name',
  key: 'Key',
  category: 'Category',
  notificationConfigId: 'Notification config',
  maxLateness: 'Longest lateness',
  'trigger.event': 'Event that starts it',
  'trigger.where': 'Condition of the start',
}

const STEP_FIELDS: Readonly<Record<string, string>> = {
  title: 'Title',
  body: 'Body',
  bodyFormat: 'Format of the body',
  link: 'Link',
  icon: 'Icon',
  imageUrl: 'Picture',
  entity: 'Entity',
  collapseKey: 'Collapse key',
  priority: 'Priority',
  expiresAfter: 'Expiry',
  subject: 'Subject',
  preheader: 'Preheader',
  html: 'HTML',
  markdown: 'Text in Markdown',
  text: 'Plain text',
  from: 'Sender',
  replyTo: 'Reply address',
  cc: 'Copies',
  bcc: 'Blind copies',
  to: 'Recipient',
  headers: 'Headers',
  attachments: 'Attachments',
  for: 'Wait',
  until: 'Wait until',
  untilQuietHoursEnd: 'Wait for the end of quiet hours',
  event: 'Awaited event',
  timeout: 'Longest wait',
  where: 'Condition',
  when: 'Condition',
  weight: 'Share',
  else: 'Otherwise',
  enricher: 'Enricher',
  params: 'Parameters',
  onError: 'After an error',
  reason: 'Reason',
  limit: 'Limit',
  window: 'Window',
  max: 'Most events',
  key: 'Key',
  type: 'Type',
  unless: 'Exception',
  'unless.read': 'Not sent after reading',
  label: 'Label',
  style: 'Style',
}

/** Fields with an ISO 8601 duration. */
const DURATIONS = new Set(['for', 'timeout', 'window', 'expiresAfter', 'maxLateness'])

const STEP_TYPES: Readonly<Record<string, string>> = {
  inbox: 'a message in the inbox',
  email: 'a mail',
  branch: 'a branch',
  delay: 'a wait',
  enrich: 'a call of an enricher',
  waitFor: 'a wait for an event',
  exit: 'an end',
  throttle: 'a throttle',
  digest: 'a digest',
}

/** @returns such as "Title"; a name of which nothing is known in quotation marks, as the author wrote it */
export const fieldName = (path: string): string => STEP_FIELDS[path] ?? `“${path}”`

export const isDuration = (field: string): boolean => DURATIONS.has(field)

export const stepTypeWords = (type: unknown): string => STEP_TYPES[String(type)] ?? `“${String(type)}”`

/** @returns one value of a field, such as “Hello”, 10 minutes or 7 */
export function valueWords(field: string, value: unknown): string {
  if (field === 'type') return stepTypeWords(value)
  if (typeof value === 'string') return isDuration(field) ? durationWords(value) : `“${cutEnd(value)}”`
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'number') return String(value)
  return cutEnd(JSON.stringify(value))
}

/** @returns both values with an arrow between them; long texts are cut to where they differ */
export function pairWords(field: string, before: unknown, after: unknown): string {
  if (typeof before !== 'string' || typeof after !== 'string' || isDuration(field) || field === 'type')
    return `${valueWords(field, before)} → ${valueWords(field, after)}`
  const [one, other] = cutAround(oneLine(before), oneLine(after))
  return `“${one}” → “${other}”`
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Whether words have the text as it is, neither cut nor on one line in place of several. */
export const isShownWhole = (text: string): boolean => text.length <= MOST_CHARS && oneLine(text) === text

function cutEnd(text: string): string {
  const line = oneLine(text)
  return line.length <= MOST_CHARS ? line : `${line.slice(0, MOST_CHARS).trimEnd()}…`
}

/** Leaves out the beginning that both have, but for a few characters, so that the difference is in view. */
function cutAround(before: string, after: string): [string, string] {
  if (before.length <= MOST_CHARS && after.length <= MOST_CHARS) return [before, after]
  let same = 0
  while (same < before.length && before[same] === after[same]) same++
  const from = Math.max(0, same - CONTEXT_CHARS)
  const cut = (text: string) => `${from > 0 ? '…' : ''}${cutEnd(text.slice(from))}`
  return [cut(before), cut(after)]
}
