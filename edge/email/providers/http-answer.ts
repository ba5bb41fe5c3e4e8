// Turns the answer of a provider's HTTP API into the outcome of a mail, alike for all of them.

import type { SendOutcome } from '../../domain/mail/mail-provider.ts'
import type { GuardedFetch, OutboundAnswer, OutboundRequest } from '../../lib/outbound/guarded-fetch.ts'
import { OutboundError } from '../../lib/outbound/outbound-error.ts'

/** How long a provider has for its answer (ms). */
const TIMEOUT_MS = 20_000
const MAX_WORDS = 500
/** What lies in the account and not in the mail. */
const ACCOUNT_STATUSES = new Set([401, 402, 403, 404, 405, 408, 429])
/** Nothing was sent: the connection did not come about. */
const NOT_SENT = new Set(['invalid-url', 'forbidden-scheme', 'forbidden-address', 'bad-certificate', 'redirect'])

export interface Posted {
  fetch: GuardedFetch['fetch']
  url: string
  request: OutboundRequest
  /** The provider's id of the mail, from an answer of 2xx. */
  readId(answer: OutboundAnswer): string | null
  /** The provider's words in an answer of another status; default: the body. */
  readError?(answer: OutboundAnswer): string | undefined
}

/** Never rejects. */
export async function postMail({ fetch, url, request, readId, readError }: Posted): Promise<SendOutcome> {
  let answer: OutboundAnswer
  try {
    answer = await fetch(url, { method: 'POST', timeoutMs: TIMEOUT_MS, ...request })
  } catch (error) {
    const words = error instanceof Error ? error.message : 'The provider was not reached.'
    // A time-out or a lost connection may come after the provider has taken the mail.
    const isUnknown = !(error instanceof OutboundError && NOT_SENT.has(error.reason))
    return { outcome: isUnknown ? 'unknown' : 'unavailable', error: toWords(words) }
  }
  const { status } = answer
  if (status >= 200 && status < 300) return { outcome: 'accepted', providerMessageId: readId(answer) }
  const error = toWords(`${status}: ${readError?.(answer) ?? answer.body}`)
  if (status >= 400 && status < 500 && !ACCOUNT_STATUSES.has(status)) return { outcome: 'refused', error }
  const after = Number(answer.headers['retry-after'])
  return { outcome: 'unavailable', error, ...(after > 0 && after < 3600 && { retryAfterMs: after * 1000 }) }
}

/** The JSON of an answer; undefined when it is none. */
export function readJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** One line for people. */
export function toWords(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return line.length <= MAX_WORDS ? line : `${line.slice(0, MAX_WORDS - 1)}…`
}
