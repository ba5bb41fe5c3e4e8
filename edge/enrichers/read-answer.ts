// Reads the answer of an enricher's endpoint: data, a documented error, or anything else; all of it is untrusted input.

import { ENRICHER_ERRORS, type EnricherErrorCode } from '../../contract/resources/enricher.ts'
import { VISIBLE } from '../../contract/visible.ts'
import { guardJson } from '../lib/json-guard.ts'
import { scrub } from '../lib/log.ts'
import { parseRetryAfter } from '../lib/outbound/retry-after.ts'
import { parseJson } from '../lib/read-json.ts'

/** The outcome of one attempt. */
export type Attempt = AttemptSuccess | AttemptFailure

export interface AttemptSuccess {
  ok: true
  /** JSON text of the handler's data. */
  data: string
}

export interface AttemptFailure {
  ok: false
  code: EnricherErrorCode
  message: string
  reason?: string
  /** Whether another attempt may succeed. */
  canRetry: boolean
  /** From `Retry-After`; absent when the endpoint sent none. */
  retryAfterMs?: number
  /** Whether the endpoint as a whole has failed, not this one call: counts for its circuit. */
  isDown: boolean
}

/** Another spelling of the specification. */
const ALIASES: Record<string, string> = { 'input-validation-failed': 'input-invalid' }
/** These count as status 500, also from endpoints that answer everything with 200. */
const SERVER_SIDE: readonly string[] = ['handler-error', 'internal']
const HMAC_REASONS = ['missing-header', 'bad-signature', 'stale-timestamp']
const MESSAGE_CHARS = 300

export interface RawAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
  isUtf8: boolean
}

/** Never throws: every answer is data or a failure. `nowMs`: epoch ms, to convert a date in `Retry-After`. */
export function readAnswer({ status, headers, body, isUtf8 }: RawAnswer, nowMs: number): Attempt {
  const answer = isUtf8 && isJsonType(headers['content-type']) ? parseObject(body) : undefined
  const documented = answer === undefined ? undefined : readDocumented(answer, status)
  if (documented !== undefined) return documented
  if (status >= 200 && status < 300) return isUtf8 ? badAnswer() : badAnswer('The answer is not valid UTF-8.')
  const isBusy = status === 429
  const isServers = status >= 500
  const retryAfterMs = isBusy || isServers ? parseRetryAfter(headers['retry-after'], nowMs) : undefined
  return {
    ok: false,
    code: isBusy ? 'rate-limited' : 'bad-status',
    message: `The endpoint answered with status ${status}.`,
    canRetry: isBusy || isServers,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    isDown: isServers,
  }
}

function readDocumented(answer: Record<string, unknown>, status: number): Attempt | undefined {
  if (answer.ok === true && status >= 200 && status < 300) return readData(answer.data)
  const { error } = answer
  if (answer.ok !== false || !isRecord(error) || typeof error.code !== 'string') return undefined
  const code = toCode(error.code)
  const reason = typeof error.reason === 'string' && HMAC_REASONS.includes(error.reason) ? error.reason : undefined
  return {
    ok: false,
    code,
    message: messageOf(error.message),
    ...(code === 'hmac-invalid' && reason !== undefined && { reason }),
    canRetry: status >= 500 || status === 429 || SERVER_SIDE.includes(code),
    // The endpoint is reachable and uses the protocol.
    isDown: false,
  }
}

/** Reads the data of a handler; one that returned nothing has answered null. */
function readData(data: unknown = null): Attempt {
  // In a list, so that the limits apply to a bare string too.
  const held = [data]
  return guardJson(held) === undefined ? { ok: true, data: JSON.stringify(held[0]) } : badAnswer()
}

const NO_ANSWER = 'The answer is not { "ok": true, "data": … } as JSON within the limits.'

function badAnswer(message = NO_ANSWER): AttemptFailure {
  return { ok: false, code: 'bad-answer', message, canRetry: false, isDown: false }
}

function toCode(word: string): EnricherErrorCode {
  const name = ALIASES[word] ?? word
  return ENRICHER_ERRORS.find((code) => code === name) ?? 'internal'
}

/** @returns The message of the handler in one line, without anything that looks like a credential. */
function messageOf(message: unknown): string {
  if (typeof message !== 'string' || !VISIBLE.test(message)) return 'The enricher gave no message.'
  // Cut before as well, which limits the text to scrub.
  const line = message.slice(0, 10 * MESSAGE_CHARS).replace(/[\p{C}\p{Z}]+/gu, ' ')
  return scrub(line).trim().slice(0, MESSAGE_CHARS)
}

function isJsonType(type: string | string[] | undefined): boolean {
  return typeof type === 'string' && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
