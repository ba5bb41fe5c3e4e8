// Answers: JSON with the correlation id on it, and the one form of an error (contract section 1).

import type { ErrorBody, ErrorCode } from '../../contract/errors.ts'
import { ERRORS } from '../../contract/errors.ts'
import { ApiError } from '../lib/api-error.ts'

/** Extra headers of one answer, by lower-case name. */
export type AnswerHeaders = Record<string, string>

/** A JSON answer before it is a Response: the short way in writes it as it is. */
export interface JsonAnswer {
  status: number
  headers: AnswerHeaders
  /** JSON text. */
  body: string
}

export function toJsonAnswer(body: object, status: number, correlationId: string, extra?: AnswerHeaders): JsonAnswer {
  const headers: AnswerHeaders = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-correlation-id': correlationId,
  }
  for (const name in extra) headers[name] = extra[name] as string
  return { status, headers, body: JSON.stringify(body) }
}

/** Headers are given at the construction: setting them afterwards costs a quarter of the throughput. */
export function toResponse({ status, headers, body }: JsonAnswer): Response {
  return new Response(body, { status, headers })
}

/** A JSON answer. */
export function jsonAnswer(body: object, status: number, correlationId: string, extra?: AnswerHeaders): Response {
  return toResponse(toJsonAnswer(body, status, correlationId, extra))
}

/** The body of an error; only the fields that an ApiError names leave the house. */
export function toErrorBody(error: ApiError, correlationId: string): ErrorBody {
  const { reason, position, details, from, to } = error.extra
  const body: ErrorBody = { code: error.code, message: error.message, correlationId }
  if (reason !== undefined) body.reason = reason
  if (position !== undefined) body.position = position
  if (details !== undefined) body.details = details
  if (from !== undefined) body.from = from
  if (to !== undefined) body.to = to
  return body
}

/** The data folder has no room (issue part 2, "Disk full"). */
export function diskLow(): ApiError {
  return new ApiError('service/unavailable', {
    message: 'The disk is nearly full: only reads are served.',
    reason: 'disk',
    retryAfterSeconds: 10,
  })
}

const DEFAULT_RETRY_AFTER_SECONDS = 1
const CLOSING = new Set([408, 413, 503])

/**
 * The error as a response. 408, 413 and 503 close the connection: its body may be half read, or another node should take
 * over. When we are merely busy it stays: a new one would cost more than the refusal.
 */
export function errorAnswer(error: ApiError, correlationId: string, extra?: AnswerHeaders): Response {
  return toResponse(toErrorAnswer(error, correlationId, extra))
}

function toErrorAnswer(error: ApiError, correlationId: string, extra?: AnswerHeaders): JsonAnswer {
  const headers: AnswerHeaders = { ...extra }
  const retryAfter = error.extra.retryAfterSeconds ?? (error.status === 503 ? DEFAULT_RETRY_AFTER_SECONDS : undefined)
  if (retryAfter !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfter)))
  if (error.status === 401) headers['www-authenticate'] ??= 'Bearer'
  if (CLOSING.has(error.status) && error.extra.reason !== 'overloaded') headers.connection = 'close'
  return toJsonAnswer(toErrorBody(error, correlationId), error.status, correlationId, headers)
}

/** Where refusals are counted and defects are told. */
export interface DefectSinks {
  /** A thrown thing that is no ApiError: logged with the id, answered `other/unknown`. */
  onDefect: (error: unknown, correlationId: string) => void
  /** Each refusal, for the metrics. */
  onRefused: (code: ErrorCode) => void
}

/** An ApiError as it is; anything else is a defect that only the log sees (house section 5). */
export function answerError(
  sinks: DefectSinks,
  error: unknown,
  correlationId: string,
  headers?: AnswerHeaders,
): Response {
  return toResponse(tellError(sinks, error, correlationId, headers))
}

/** The same, before it is a Response. */
export function tellError(
  sinks: DefectSinks,
  error: unknown,
  correlationId: string,
  headers?: AnswerHeaders,
): JsonAnswer {
  if (error instanceof ApiError) {
    sinks.onRefused(error.code)
    return toErrorAnswer(error, correlationId, headers)
  }
  sinks.onRefused('other/unknown')
  sinks.onDefect(error, correlationId)
  return toErrorAnswer(new ApiError('other/unknown'), correlationId, headers)
}

/** Status and codes of a list of codes, for the documentation: 401 → [codes]. */
export function codesByStatus(codes: Iterable<ErrorCode>): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = ERRORS[code]
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return groups
}
