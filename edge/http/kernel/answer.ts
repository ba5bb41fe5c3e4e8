// Builds answers: JSON with the correlation id, and errors in one form.

import type { ErrorBody, ErrorCode } from '../../../contract/errors.ts'
import { ERRORS } from '../../../contract/errors.ts'
import { ApiError } from '../../lib/api-error.ts'

/** Additional headers of one answer, by lower-case name. */
export type AnswerHeaders = Record<string, string>

/** A JSON answer that is not yet a Response; the fast path writes it directly. */
export interface JsonAnswer {
  status: number
  headers: AnswerHeaders
  /** JSON text. */
  body: string
}

/** Adds the headers of every JSON answer; `extra` overrides them. */
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

/** Passes the headers to the constructor: setting them afterwards costs a quarter of the throughput. */
export function toResponse({ status, headers, body }: JsonAnswer): Response {
  return new Response(body, { status, headers })
}

/** Builds the JSON answer as a Response. */
export function jsonAnswer(body: object, status: number, correlationId: string, extra?: AnswerHeaders): Response {
  return toResponse(toJsonAnswer(body, status, correlationId, extra))
}

/** Builds the body of an error, only with fields that an ApiError declares. */
export function toErrorBody(error: ApiError, correlationId: string): ErrorBody {
  const { reason, position, details, from, to, changedBy, changedAt } = error.extra
  const body: ErrorBody = { code: error.code, message: error.message, correlationId }
  if (reason !== undefined) body.reason = reason
  if (position !== undefined) body.position = position
  if (details !== undefined) body.details = details
  if (from !== undefined) body.from = from
  if (to !== undefined) body.to = to
  if (changedBy !== undefined) body.changedBy = changedBy
  if (changedAt !== undefined) body.changedAt = changedAt
  return body
}

/** @returns The error of a write while the disk is nearly full. */
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
 * Builds the answer to an error. With 408, 413 and 503 the connection closes: its body may be unread, or the node stops.
 * Under overload the connection stays, because a new one costs more than the refusal.
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

/** Callbacks for the metrics and the log. */
export interface DefectSinks {
  /** Called for an error that is no ApiError, which is answered `other/unknown`. */
  onDefect: (error: unknown, correlationId: string) => void
  /** Called for each refusal. */
  onRefused: (code: ErrorCode) => void
}

/** Reports an error. @returns Its answer: `other/unknown` for an error that is no ApiError, whose cause only the log has. */
export function answerError(
  sinks: DefectSinks,
  error: unknown,
  correlationId: string,
  headers?: AnswerHeaders,
): Response {
  return toResponse(reportError(sinks, error, correlationId, headers))
}

/** Does the same as `answerError`, but returns no Response. */
export function reportError(
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

/** Groups codes by status for the API reference. */
export function codesByStatus(codes: Iterable<ErrorCode>): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = ERRORS[code]
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return groups
}
