// Collects the reports of one webhook call, with every foreign value checked, cut and cleaned.

import type { MailReport, ReportKind, WebhookVerdict } from '../../domain/mail/mail-provider.ts'
import { ApiError } from '../../lib/api-error.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { parseId } from '../../lib/id.ts'
import { type Fields, toFields } from './fields.ts'
import { toOneLine } from './foreign-text.ts'

/** An event as a provider has it. */
export interface RawReport {
  kind: ReportKind
  messageId: string | null
  providerMessageId: string | null
  /** Parts that together are the same when the event is sent again. */
  eventKey: (string | null)[]
  /** Epoch ms; undefined or out of range: the time of the call. */
  at: number | undefined
  automated?: boolean
  address: string | null
  link?: string | null
  reason?: string | null
}

const DAY_MS = 24 * 60 * 60 * 1000
const MAX_AGE_MS = 90 * DAY_MS
const MAX_ID_CHARS = 256
const MAX_ADDRESS_CHARS = 320
const MAX_LINK_CHARS = 8192

/**
 * Reads each event of a call. `read` returns a report, or null for an event that means nothing here.
 * What is no object is ignored too.
 */
export function collectReports(
  { body, now }: { body: Buffer; now: number },
  events: unknown[],
  read: (event: Fields) => RawReport | null,
): WebhookVerdict & { ok: true; reports: MailReport[]; ignored: number } {
  const reports: MailReport[] = []
  let bodyHash = ''
  const numbered = (index: number) => {
    if (bodyHash === '') bodyHash = sha256Hex(body.toString('base64'))
    return `${bodyHash}:${index}`
  }
  for (const [index, value] of events.entries()) {
    const event = toFields(value)
    const raw = event === undefined ? null : read(event)
    if (raw === null) continue
    reports.push({
      kind: raw.kind,
      messageId: toMessageId(raw.messageId),
      providerMessageId: toId(raw.providerMessageId),
      eventId: toEventId(raw.eventKey) ?? numbered(index),
      at: raw.at !== undefined && raw.at > now - MAX_AGE_MS && raw.at < now + DAY_MS ? Math.trunc(raw.at) : now,
      automated: raw.automated ?? false,
      address: toShort(raw.address, MAX_ADDRESS_CHARS),
      link: toShort(raw.link ?? null, MAX_LINK_CHARS),
      reason: raw.reason === undefined || raw.reason === null ? null : toOneLine(raw.reason) || null,
    })
  }
  return { ok: true, reports, ignored: events.length - reports.length }
}

/** @throws ApiError `request/invalid-body` */
export function refuseBody(message: string): never {
  throw new ApiError('request/invalid-body', { message })
}

/** @returns the text of the body; undefined when it is no valid UTF-8 */
export function decodeBody(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** Metadata may be another customer's or a test's: only texts of our own form are our ids. */
function toMessageId(text: string | null): string | null {
  return text !== null && parseId('message', text) !== undefined ? text : null
}

function toEventId(parts: (string | null)[]): string | undefined {
  if (parts.some((part) => part === null || part === '')) return undefined
  const key = parts.join(':')
  return isShortAndClean(key, MAX_ID_CHARS) ? key : sha256Hex(key)
}

/** Cutting would make different ids equal, so a long id becomes its hash. */
function toId(text: string | null): string | null {
  if (text === null || text === '') return null
  return isShortAndClean(text, MAX_ID_CHARS) ? text : sha256Hex(text)
}

function toShort(text: string | null, maxChars: number): string | null {
  return text !== null && text !== '' && isShortAndClean(text, maxChars) ? text : null
}

function isShortAndClean(text: string, maxChars: number): boolean {
  return text.length <= maxChars && !/[\p{Cc}\p{Cs}]/u.test(text)
}

/** @returns epoch ms of seconds, whole or not, as a number or text */
export function fromSeconds(text: string | null): number | undefined {
  const seconds = Number(text ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

/** @returns epoch ms of an ISO 8601 text */
export function fromIso(text: string | null): number | undefined {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? undefined : at
}
