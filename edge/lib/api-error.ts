// Declares the only error that callers see. Any other thrown error is a defect: logged, and answered `other/unknown`.

import { ERRORS, type ErrorCode, type ErrorDetail } from '../../contract/errors.ts'

/** Optional fields of an error. `message` replaces the text of the error table. */
export interface ApiErrorExtra {
  message?: string
  reason?: string
  position?: number
  details?: ErrorDetail[]
  from?: string
  to?: string
  changedBy?: string | null
  changedAt?: string
  retryAfterSeconds?: number
}

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly extra: ApiErrorExtra

  constructor(code: ErrorCode, extra: ApiErrorExtra = {}, options?: { cause?: unknown }) {
    super(extra.message ?? ERRORS[code].message, options)
    this.name = 'ApiError'
    this.code = code
    this.status = ERRORS[code].status
    this.extra = extra
  }
}

/** Work that must be put off, because too much of the same environment waits. */
export class BusyError extends ApiError {
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('service/unavailable', { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) })
    this.retryAfterMs = retryAfterMs
  }
}

/** Whether the error means that the service is unavailable at the moment. */
export function isUnavailable(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'service/unavailable'
}
