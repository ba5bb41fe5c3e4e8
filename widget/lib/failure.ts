// What went wrong with a call, in the form that every part of the widget reads. Parts are built apart, so it is told by shape, not by class.

export interface Failure {
  /** HTTP status; 0 when there was no answer at all. */
  status: number
  /** As in contract/errors.ts, or `client/…` for what happened on this side. */
  code: string
  correlationId: string | null
  retryAfterMs: number | undefined
}

/** Thrown by every call that did not succeed. */
export class CallError extends Error implements Failure {
  declare readonly status: number
  declare readonly code: string
  declare readonly correlationId: string | null
  declare readonly retryAfterMs: number | undefined

  constructor(failure: Failure, options?: { cause?: unknown }) {
    super(failure.code, options)
    Object.assign(this, failure)
  }
}

/** The failure in whatever was thrown; a defect of ours counts as "no answer", so that it is tried again and never lost. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Error && 'status' in error) return error as Error & Failure
  return { status: 0, code: 'client/failed', correlationId: null, retryAfterMs: undefined }
}

/** True when trying again later may help: no answer, too busy, or a fault of the service. */
export function isOutOfReach({ status }: Failure): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500
}

/** @returns a new failure of a service that does not answer: of an outage that another tab has met, or of a part that did not come */
export const noAnswer = (): Failure => ({
  status: 0,
  code: 'client/no-answer',
  correlationId: null,
  retryAfterMs: undefined,
})

/** The failure of a part that came and threw when it ran, as under a policy that it does not know: trying again does not help. */
export const PART_FAILED: Failure = { ...noAnswer(), code: 'client/part-failed' }

/** @returns whether a part threw when it ran; browsers and bundlers name the module or chunk when it did not come */
export function hasThrown(error: unknown): error is Error {
  return error instanceof Error && !/module|chunk/i.test(error.message)
}
