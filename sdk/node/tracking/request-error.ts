// Reports an HTTP error of a tracking call with the service's own answer.

/** Reports an answer other than 2xx, of the service or of a proxy before it. Contains nothing of the request. */
export class NotificationRequestError extends Error {
  override readonly name = 'NotificationRequestError'
  /** The HTTP status. */
  readonly status: number
  /** The stable code, such as `event/invalid-name`; undefined when the answer was not the service's. */
  readonly code: string | undefined
  /** The reason of some codes, such as `event/invalid-name`. */
  readonly reason: string | undefined
  /** The faults of a refused body: `{ path, message }`. */
  readonly details: readonly unknown[] | undefined
  /** Finds the call in the service's log. */
  readonly correlationId: string | undefined
  /** The whole answer, including the fields above. */
  readonly answer: Readonly<Record<string, unknown>>

  constructor(status: number, message: string, answer: ErrorFields = {}) {
    super(message)
    this.status = status
    this.code = answer.code
    this.reason = answer.reason
    this.details = answer.details
    this.correlationId = answer.correlationId
    this.answer = answer.body ?? {}
  }
}

interface ErrorFields {
  code?: string | undefined
  reason?: string | undefined
  details?: readonly unknown[] | undefined
  correlationId?: string | undefined
  body?: Record<string, unknown>
}

/** Parses the text of an answer, which may be anything: a proxy's page, an echo of the request. */
export function toRequestError(status: number, text: string, correlationId: string | null): NotificationRequestError {
  const body = parseObject(text)
  const field = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined)
  const code = field('code')
  const summary = code === undefined ? '' : `${code}${field('message') === undefined ? '' : `: ${field('message')}`}`
  return new NotificationRequestError(
    status,
    summary === '' ? `The answer was HTTP ${status}.` : `${status} ${summary}`,
    {
      code,
      reason: field('reason'),
      details: Array.isArray(body.details) ? body.details : undefined,
      correlationId: field('correlationId') ?? correlationId ?? undefined,
      body,
    },
  )
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
