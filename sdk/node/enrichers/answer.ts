// Defines the answer of a dispatch: plain JSON. The error itself is attached but never sent.

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
  /** Headers of the HTTP request; they take precedence over the copies in the body. */
  headers?: HeadersLike | undefined
  /** The `name` of the query; must equal the signed name. */
  name?: string | null | undefined
  /** Passed to the handler; aborts when the request was cancelled. */
  signal?: AbortSignal | undefined
}

export interface DispatchSuccess {
  ok: true
  /** The handler's result as JSON. */
  data: unknown
  name: string
  durationMs: number
}

export interface DispatchFailure {
  ok: false
  error: {
    code: EnricherErrorCode
    message: string
    /** Only for `hmac-invalid`. */
    reason?: HmacFailureReason
    /** Only for `input-invalid`: the validator's issues as JSON. */
    details?: unknown[]
    /** The error itself, for `instanceof` and your log. Not enumerable: it is not in the JSON. */
    readonly cause?: EnricherError
  }
}

export type DispatchResponse = DispatchSuccess | DispatchFailure

/** Returns the HTTP status of a response. */
export function statusOf(response: DispatchResponse): number {
  return response.ok ? 200 : STATUS_OF[response.error.code]
}

export function toFailure(error: EnricherError): DispatchFailure {
  const described: DispatchFailure['error'] = { code: error.code, message: error.message }
  if (error instanceof EnricherHmacVerificationError) described.reason = error.reason
  if (error instanceof EnricherInputValidationError) described.details = error.details.map(toPlain)
  Object.defineProperty(described, 'cause', { value: error })
  return { ok: false, error: described }
}

// Issues of some libraries contain their whole context, including circular references.
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
