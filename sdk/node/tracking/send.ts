// Sends one call to the service: the same bytes up to three times, each attempt within its time limit.

import { NotificationRequestError, toRequestError } from './request-error.ts'

export interface SenderDeps {
  /** Without a trailing slash. */
  url: string
  sdkSecretKey: string
  fetch: typeof globalThis.fetch
  timeoutMs: number
  /** Pauses before the second attempt, the third, … */
  delaysMs: readonly number[]
  /** Resolves after so many milliseconds; rejects with the signal's reason. */
  wait(delayMs: number, signal: AbortSignal | undefined): Promise<void>
}

export interface SendOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  correlationId?: string | undefined
}

export interface Sent {
  body: Record<string, unknown>
  correlationId: string | null
}

/** A tracking route: its path, and the field that each of its answers has. */
export interface Route {
  path: string
  isAnswer(body: Record<string, unknown>): boolean
}

export type Send = (route: Route, body: object, options: SendOptions) => Promise<Sent>

export function createSender(deps: SenderDeps): Send {
  const { delaysMs, wait } = deps

  /**
   * Retries after every failure, including permanent ones, because the three SDKs agree on it. The caller's signal ends
   * it at once.
   */
  return async function send(route, body, options) {
    const { signal } = options
    const text = JSON.stringify({ ...body, sdkSecretKey: deps.sdkSecretKey })
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      try {
        return await attemptOnce(deps, route, text, options)
      } catch (error) {
        signal?.throwIfAborted()
        const delayMs = delaysMs[attempt]
        if (delayMs === undefined) throw error
        await wait(delayMs, signal)
      }
    }
  }
}

async function attemptOnce(deps: SenderDeps, route: Route, text: string, options: SendOptions): Promise<Sent> {
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
    const response = await deps.fetch(deps.url + route.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${deps.sdkSecretKey}`,
        'content-type': 'application/json',
        ...(correlationId === undefined ? {} : { 'x-correlation-id': correlationId }),
      },
      body: text,
      // A redirect must not receive the key.
      redirect: 'manual',
      signal: limit.signal,
    })
    return await readAnswer(response, route, deps.sdkSecretKey)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

async function readAnswer(response: Response, route: Route, secret: string): Promise<Sent> {
  const text = await response.text()
  const correlationId = response.headers.get('x-correlation-id')
  // An answer may echo the request, and errors are logged.
  if (!response.ok)
    throw toRequestError(response.status, text.replaceAll(secret.trim(), '[sdkSecretKey]'), correlationId)
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && route.isAnswer({ ...body })) {
      return { body: { ...body }, correlationId }
    }
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
