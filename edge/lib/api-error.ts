// The one error that callers see (contract section 1). Anything else that is thrown is a defect: logged, answered `other/unknown`.

import { ERRORS, type ErrorCode, type ErrorDetail } from '../../contract/errors.ts'

/** What an error may carry beside its code. `message` replaces the table's text for people. */
export interface ApiErrorExtra {
  message?: string
  reason?: string
  position?: number
  details?: ErrorDetail[]
  from?: string
  to?: string
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

/** Whether it says that the service itself cannot do it now, whatever it is. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'service/unavailable'
}
