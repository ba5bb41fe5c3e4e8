// The errors of enrichers: classes, codes and statuses of the specification's section 7.3.

export type EnricherErrorCode = 'input-invalid' | 'hmac-invalid' | 'enricher-not-found' | 'handler-error' | 'internal'
export type HmacFailureReason = 'missing-header' | 'bad-signature' | 'stale-timestamp'

/** The HTTP status of each code. */
export const STATUS_OF: Record<EnricherErrorCode, number> = {
  'input-invalid': 400,
  'hmac-invalid': 401,
  'enricher-not-found': 404,
  'handler-error': 500,
  internal: 500,
}

/** Thrown by `client.enricher()`: a duplicate or empty name, a schema that is none, no handler. */
export class EnricherRegistrationError extends Error {
  override readonly name = 'EnricherRegistrationError'
}

/** Any failure of a dispatch. Its own class, without a more exact one, is the catch-all `internal`. */
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

/** `params` do not fit the schema; `details` are the validator's own issues. */
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

/** The call is not the service's, not for this enricher, or too old. */
export class EnricherHmacVerificationError extends EnricherError {
  override readonly name = 'EnricherHmacVerificationError'
  readonly reason: HmacFailureReason

  constructor(reason: HmacFailureReason) {
    super(HMAC_MESSAGES[reason], { code: 'hmac-invalid' })
    this.reason = reason
  }
}

/** No enricher of that name is registered on this client. */
export class EnricherNotFoundError extends EnricherError {
  override readonly name = 'EnricherNotFoundError'

  constructor(enricher: string) {
    super(`No enricher "${enricher}" is registered here.`, { code: 'enricher-not-found' })
  }
}

/** The handler threw, or gave what is no JSON; `cause` is the original error, which is not sent to the service. */
export class EnricherHandlerError extends EnricherError {
  override readonly name = 'EnricherHandlerError'

  constructor(message: string, options: ErrorOptions) {
    super(message, { ...options, code: 'handler-error' })
  }
}
