// What a dispatch answers (contract section 8, specification 7.3): plain JSON, with the error itself at hand but never sent.

import {
  type EnricherError,
  type EnricherErrorCode,
  EnricherHmacVerificationError,
  EnricherInputValidationError,
  type HmacFailureReason,
  STATUS_OF,
} from './errors.ts'
import type { HeadersLike } from './signature.ts'

export interface DispatchOptions {
  /** Those of the HTTP request; preferred to the copies in the body. */
  headers?: HeadersLike | undefined
  /** The `name` of the query; must equal the signed one. */
  name?: string | null | undefined
  /** Handed to the handler: the request was given up. */
  signal?: AbortSignal | undefined
}

export interface DispatchSuccess {
  ok: true
  /** The handler's JSON. */
  data: unknown
  name: string
  durationMs: number
}

export interface DispatchFailure {
  ok: false
  error: {
    code: EnricherErrorCode
    message: string
    /** Of `hmac-invalid`. */
    reason?: HmacFailureReason
    /** Of `input-invalid`: the validator's issues as JSON. */
    details?: unknown[]
    /** The error itself, for `instanceof` and your log. Not enumerable: it is not in the JSON. */
    readonly cause?: EnricherError
  }
}

export type DispatchResponse = DispatchSuccess | DispatchFailure

/** The HTTP status that belongs to a response. */
export function statusOf(response: DispatchResponse): number {
  return response.ok ? 200 : STATUS_OF[response.error.code]
}

export function toFailure(error: EnricherError): DispatchFailure {
  const said: DispatchFailure['error'] = { code: error.code, message: error.message }
  if (error instanceof EnricherHmacVerificationError) said.reason = error.reason
  if (error instanceof EnricherInputValidationError) said.details = error.details.map(toPlain)
  Object.defineProperty(said, 'cause', { value: error })
  return { ok: false, error: said }
}

// Issues of some libraries hold their whole context, circles included.
function toPlain(issue: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(issue))
  } catch {
    return toMessage(issue)
  }
}

function toMessage(issue: unknown): { message: string; path: string[] } {
  try {
    const { message, path } = Object(issue) as { message?: unknown; path?: unknown }
    return { message: String(message), path: Array.isArray(path) ? path.map(String) : [] }
  } catch {
    return { message: 'An issue that cannot be read.', path: [] }
  }
}
