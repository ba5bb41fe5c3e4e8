// Sends one call to the service: the same bytes up to three times, each attempt within its time limit.

import { NotificationRequestError, toRequestError } from './request-error.ts'
import { VERSION } from './version.ts'

const USER_AGENT = `notification-center-node/${VERSION}`

export interface SenderDeps {
  /** Without a trailing slash. */
  url: string
  sdkSecretKey: string
  fetch: typeof globalThis.fetch
  timeoutMs: number
  /** `transient` repeats only failures that may pass. */
  retry: 'always' | 'transient'
  onAttempt(failed: FailedAttempt): void
  /** Pauses before the second attempt, the third, … */
  delaysMs: readonly number[]
  /** Resolves after so many milliseconds; rejects with the signal's reason. */
  wait(delayMs: number, signal: AbortSignal | undefined): Promise<void>
}

/** One failed attempt: its number from 1, its error, and the pause before the next; null when there is none. */
export interface FailedAttempt {
  attempt: number
  error: unknown
  delayMs: number | null
}

export interface SendOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  correlationId?: string | undefined
}

export interface Sent {
  /** Undefined for an empty answer. */
  body: unknown
  correlationId: string | null
}

/** One call: `body` is its JSON text, `key` its Idempotency-Key. */
export interface Call {
  method: string
  path: string
  body?: string | undefined
  key?: string | undefined
  isAnswer(body: unknown): boolean
}

export type Send = (call: Call, options: SendOptions) => Promise<Sent>

export function createSender(deps: SenderDeps): Send {
  const { delaysMs, wait } = deps

  /**
   * Retries after every failure, including permanent ones, because the three SDKs agree on it, or only after those that
   * may pass. The caller's signal ends it at once.
   */
  return async function send(call, options) {
    const { signal } = options
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      try {
        return await attemptOnce(deps, call, options)
      } catch (error) {
        signal?.throwIfAborted()
        const delayMs = isRepeated(error, deps.retry) ? (delaysMs[attempt] ?? null) : null
        report(deps, { attempt: attempt + 1, error, delayMs })
        if (delayMs === null) throw error
        await wait(delayMs, signal)
      }
    }
  }
}

function isRepeated(error: unknown, retry: SenderDeps['retry']): boolean {
  if (retry === 'always' || !(error instanceof NotificationRequestError)) return true
  return error.status >= 500 || [408, 425, 429].includes(error.status)
}

/** The listener's own failure does not change the call. */
function report(deps: SenderDeps, failed: FailedAttempt): void {
  // A listener may be asynchronous, although its type has no promise.
  void new Promise((resolve) => resolve(deps.onAttempt(failed))).catch(() => {})
}

async function attemptOnce(deps: SenderDeps, call: Call, options: SendOptions): Promise<Sent> {
  const { timeoutMs = deps.timeoutMs, signal, correlationId } = options
  const limit = new AbortController()
  const giveUp = () => limit.abort(new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError'))
  // One turn later: a process that was suspended first reads the answer that has arrived meanwhile.
  let timer = setTimeout(() => {
    timer = setTimeout(giveUp, 0)
  }, timeoutMs)
  const onAbort = () => limit.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  try {
    const response = await deps.fetch(deps.url + call.path, {
      method: call.method,
      headers: {
        authorization: `Bearer ${deps.sdkSecretKey}`,
        'user-agent': USER_AGENT,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.key === undefined ? {} : { 'idempotency-key': call.key }),
        ...(correlationId === undefined ? {} : { 'x-correlation-id': correlationId }),
      },
      ...(call.body === undefined ? {} : { body: call.body }),
      // A redirect must not receive the key.
      redirect: 'manual',
      signal: limit.signal,
    })
    return await readAnswer(response, call, deps.sdkSecretKey)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

async function readAnswer(response: Response, call: Call, secret: string): Promise<Sent> {
  const text = await response.text()
  const correlationId = response.headers.get('x-correlation-id')
  // An answer may echo the request, and errors are logged.
  if (!response.ok)
    throw toRequestError(response.status, text.replaceAll(secret.trim(), '[sdkSecretKey]'), correlationId)
  try {
    const isCsv = /^text\/csv\b/i.test(response.headers.get('content-type') ?? '')
    const body: unknown = text === '' ? undefined : isCsv ? text : JSON.parse(text)
    if (call.isAnswer(body)) return { body, correlationId }
  } catch {
    // The error is reported below; its text may be a whole page.
  }
  throw new NotificationRequestError(response.status, 'The answer is not the service’s.')
}

/** Keeps the process alive, so that an event tracked at its end is sent. */
export function waitFor(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, delayMs)
    signal?.addEventListener('abort', onAbort)
  })
}
