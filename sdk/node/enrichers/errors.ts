// Defines the errors of enrichers: classes, codes and statuses that all SDKs share.

export type EnricherErrorCode = 'input-invalid' | 'hmac-invalid' | 'enricher-not-found' | 'handler-error' | 'internal'
export type HmacFailureReason = 'missing-header' | 'bad-signature' | 'stale-timestamp'

/** Maps each code to its HTTP status. */
export const STATUS_OF: Record<EnricherErrorCode, number> = {
  'input-invalid': 400,
  'hmac-invalid': 401,
  'enricher-not-found': 404,
  'handler-error': 500,
  internal: 500,
}

/** Reports a registration with a duplicate or empty name, an invalid schema, or no handler. */
export class EnricherRegistrationError extends Error {
  override readonly name = 'EnricherRegistrationError'
}

/** Reports a failed dispatch. Without a subclass its code is `internal`. */
export class EnricherError extends Error {
  override readonly name: string = 'EnricherError'
  readonly code: EnricherErrorCode

  constructor(message: string, options: ErrorOptions & { code?: EnricherErrorCode } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = options.code ?? 'internal'
  }

  /** The HTTP status to answer with. */
  get status(): number {
    return STATUS_OF[this.code]
  }
}

/** Reports `params` that do not fit the schema; `details` are the validator's own issues. */
export class EnricherInputValidationError extends EnricherError {
  override readonly name = 'EnricherInputValidationError'
  readonly details: readonly unknown[]

  constructor(enricher: string, details: readonly unknown[]) {
    super(`The params do not fit the schema of "${enricher}".`, { code: 'input-invalid' })
    this.details = details
  }
}

const HMAC_MESSAGES: Record<HmacFailureReason, string> = {
  'missing-header': 'webhook-id, webhook-timestamp and webhook-signature are needed.',
  'bad-signature': 'The signature does not belong to this call.',
  'stale-timestamp': 'The timestamp is more than five minutes off.',
}

/** Reports a call that the service has not signed, that is for another enricher, or that is too old. */
export class EnricherHmacVerificationError extends EnricherError {
  override readonly name = 'EnricherHmacVerificationError'
  readonly reason: HmacFailureReason

  constructor(reason: HmacFailureReason) {
    super(HMAC_MESSAGES[reason], { code: 'hmac-invalid' })
    this.reason = reason
  }
}

/** Reports a call of an enricher that is not registered on this client. */
export class EnricherNotFoundError extends EnricherError {
  override readonly name = 'EnricherNotFoundError'

  constructor(enricher: string) {
    super(`No enricher "${enricher}" is registered here.`, { code: 'enricher-not-found' })
  }
}

/**
 * Reports a handler that threw, or returned no JSON. `cause` is the original error, which is not sent to the service.
 */
export class EnricherHandlerError extends EnricherError {
  override readonly name = 'EnricherHandlerError'

  constructor(message: string, options: ErrorOptions) {
    super(message, { ...options, code: 'handler-error' })
  }
}
