// Declares the error of a call on a customer's behalf without an answer. It contains no address and no answer of the other side.

export type OutboundReason =
  | 'invalid-url'
  | 'forbidden-scheme'
  | 'forbidden-address'
  | 'redirect'
  | 'too-large'
  | 'timeout'
  | 'bad-certificate'
  | 'unreachable'

const MESSAGES: Record<OutboundReason, string> = {
  'invalid-url': 'The address is not a URL, or holds credentials.',
  'forbidden-scheme': 'The address must use https.',
  'forbidden-address': 'The address is not public, or does not use TLS, and OUTBOUND_ALLOW does not contain it.',
  redirect: 'The other side redirects, which is not followed.',
  'too-large': 'The answer is too large.',
  timeout: 'The other side did not answer in time.',
  'bad-certificate': 'The certificate of the other side is not valid for that name.',
  unreachable: 'The other side could not be reached.',
}

export class OutboundError extends Error {
  readonly reason: OutboundReason
  /** Whether the other side may have received the request, or a part of it. */
  readonly wasSent: boolean
  /** Of an answer whose body did not come as a whole; undefined: there was none. */
  readonly status: number | undefined

  constructor(
    reason: OutboundReason,
    options: { cause?: unknown; wasSent?: boolean; status?: number | undefined } = {},
  ) {
    super(MESSAGES[reason], options)
    this.name = 'OutboundError'
    this.reason = reason
    this.wasSent = options.wasSent ?? false
    this.status = options.status
  }
}
