// Turns the answer of a provider's HTTP API into the outcome of a mail, alike for all of them.

import type { SendOutcome } from '../../domain/mail/mail-provider.ts'
import { systemClock } from '../../lib/clock.ts'
import { scrubKeys } from '../../lib/log.ts'
import type { GuardedFetch, OutboundAnswer, OutboundRequest } from '../../lib/outbound/guarded-fetch.ts'
import { OutboundError } from '../../lib/outbound/outbound-error.ts'
import { parseRetryAfter } from '../../lib/outbound/retry-after.ts'
import { parseJson } from '../../lib/read-json.ts'

/** How long a provider has for its answer (ms). */
const TIMEOUT_MS = 20_000
const MAX_WORDS = 500
const MAX_RETRY_AFTER_MS = 60 * 60 * 1000
/** Resend refuses calls that do not name their program. */
export const USER_AGENT = 'notification-center'
/** What lies in the account and not in the mail. */
const ACCOUNT_STATUSES = new Set([401, 402, 403, 404, 405, 408, 429])

export interface Posted {
  fetch: GuardedFetch['fetch']
  url: string
  request: OutboundRequest
  /** Texts that no error may contain, in every form in which the request has them. */
  secrets: readonly string[]
  /** The provider's id of the mail, from an answer of 2xx. */
  readId(answer: OutboundAnswer): string | null
  /** The provider's words in an answer of another status; default: the body. */
  readError?(answer: OutboundAnswer): string | undefined
  /** Whether an answer of 4xx is about the account, in addition to the statuses that always are. */
  isOfAccount?(answer: OutboundAnswer): boolean
  /** Whether an answer of 4xx says that there is no such recipient, or none that takes mails. */
  isOfRecipient?(answer: OutboundAnswer): boolean
  /** Needed with `isOfRecipient`. */
  recipient?: string
  /** Whether an answer of 4xx reports an earlier call with the same idempotency key, which may have succeeded. */
  isRepeat?(answer: OutboundAnswer): boolean
}

/** Never rejects. */
export async function postMail(posted: Posted): Promise<SendOutcome> {
  const { fetch, url, request, secrets } = posted
  const headers = { 'user-agent': USER_AGENT, ...request.headers }
  try {
    return readAnswer(await fetch(url, { method: 'POST', timeoutMs: TIMEOUT_MS, ...request, headers }), posted)
  } catch (error) {
    const words = error instanceof Error ? error.message : 'The provider was not reached.'
    // The status alone says what became of the mail.
    const status = error instanceof OutboundError ? error.status : undefined
    if (status !== undefined && (status < 300 || status >= 400)) {
      return readAnswer({ status, headers: {}, body: words, isUtf8: true }, posted)
    }
    // A time-out or a lost connection may come after the provider has taken the mail; a redirect is an answer.
    const isUnknown = !(error instanceof OutboundError) || (error.wasSent && error.reason !== 'redirect')
    return { outcome: isUnknown ? 'unknown' : 'unavailable', error: toWords(words, secrets) }
  }
}

function readAnswer(
  answer: OutboundAnswer,
  { secrets, readId, readError, isOfAccount, isOfRecipient, recipient, isRepeat }: Posted,
): SendOutcome {
  const { status } = answer
  if (status >= 200 && status < 300) return { outcome: 'accepted', providerMessageId: readId(answer) }
  const error = toWords(`${status}: ${readError?.(answer) ?? answer.body}`, secrets)
  if (status >= 400 && status < 500 && !ACCOUNT_STATUSES.has(status)) {
    if (isRepeat?.(answer) === true) return { outcome: 'unknown', error }
    if (isOfAccount?.(answer) !== true) {
      return {
        outcome: 'refused',
        error,
        ...(recipient !== undefined && isOfRecipient?.(answer) === true && { unknownAddress: recipient }),
      }
    }
  }
  const afterMs = parseRetryAfter(answer.headers['retry-after'], systemClock.now()) ?? 0
  return {
    outcome: 'unavailable',
    error,
    ...(status === 429 && { isRateLimited: true as const }),
    ...(afterMs > 0 && afterMs < MAX_RETRY_AFTER_MS && { retryAfterMs: afterMs }),
  }
}

/** The JSON of an answer; undefined when it is none. */
export function readJson(body: string): unknown {
  try {
    return parseJson(body)
  } catch {
    return undefined
  }
}

/** One line for people, without these secrets and without what looks like a key. */
export function toWords(text: string, secrets: readonly string[] = []): string {
  const clean = secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '***')), text)
  // Cut before as well, which limits the text to scrub.
  const line = scrubKeys(clean.slice(0, 10 * MAX_WORDS).replace(/[\p{C}\s]+/gu, ' ')).trim()
  return line.length <= MAX_WORDS ? line : `${line.slice(0, MAX_WORDS - 1).replace(/\p{Surrogate}$/u, '')}…`
}

/** @returns the header `Authorization` of HTTP Basic, and the forms of the password that no error may contain */
export function basicAuth(user: string, password: string): { authorization: string; secrets: string[] } {
  const token = Buffer.from(`${user}:${password}`).toString('base64')
  return { authorization: `Basic ${token}`, secrets: [password, token] }
}
