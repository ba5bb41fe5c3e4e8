// The HTTP error of a tracking call: what the service answered, in its own words (specification section 7).

/** What the service, or something on the way to it, answered in place of 2xx. Holds nothing of the request. */
export class NotificationRequestError extends Error {
  override readonly name = 'NotificationRequestError'
  /** The HTTP status. */
  readonly status: number
  /** The stable code, such as `event/invalid-name`; undefined when the answer was not the service's. */
  readonly code: string | undefined
  /** Beside some codes: of `event/invalid-name` what is wrong with it. */
  readonly reason: string | undefined
  /** Of a refused body: `{ path, message }` of each fault. */
  readonly details: readonly unknown[] | undefined
  /** To look it up in the service's log. */
  readonly correlationId: string | undefined
  /** All that the service said, the fields above included. */
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

/** From an answer's text, which may be anything: a proxy's page, an echo of the request. */
export function toRequestError(status: number, text: string, correlationId: string | null): NotificationRequestError {
  const body = parseObject(text)
  const field = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined)
  const code = field('code')
  const said = code === undefined ? '' : `${code}${field('message') === undefined ? '' : `: ${field('message')}`}`
  return new NotificationRequestError(status, said === '' ? `The answer was HTTP ${status}.` : `${status} ${said}`, {
    code,
    reason: field('reason'),
    details: Array.isArray(body.details) ? body.details : undefined,
    correlationId: field('correlationId') ?? correlationId ?? undefined,
    body,
  })
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
