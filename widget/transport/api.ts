// One call of the service over fetch: JSON in and out, errors as CallError, never with cookies.

import type { ErrorBody } from '../../contract/errors.ts'
import { CallError, noAnswer } from '../lib/failure.ts'

export interface CallOptions {
  /** Session token, sent as Bearer. */
  token?: string | undefined
  body?: object
}

export type Call = <T>(method: string, path: string, options?: CallOptions) => Promise<T>

const TIMEOUT_MS = 10_000
/** Browsers refuse calls that outlive their page when more than 64 KiB of them are on their way. */
const OUTLIVING_CHARS = 20_000

/** Calls below `baseUrl`, an origin with or without a path. What a session changes outlives the page, unless it is large. */
export function createApi(baseUrl: string): Call {
  return async <T>(method: string, path: string, { token, body }: CallOptions = {}): Promise<T> => {
    const sent = body && JSON.stringify(body)
    try {
      // Each read has an address of its own, which no cache of a service worker knows.
      const fresh = method === 'GET' ? `${path.includes('?') ? '&' : '?'}fresh=${Math.random()}` : ''
      const response = await fetch(baseUrl + path + fresh, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        keepalive: !!token && method !== 'GET' && !(sent && sent.length > OUTLIVING_CHARS),
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        body: sent ?? null,
      })
      const text = await response.text()
      const answer: unknown = JSON.parse(text || '{}')
      if (response.ok) return answer as T
      throw refusal(response, answer as Partial<ErrorBody>)
    } catch (cause) {
      if (cause instanceof CallError) throw cause
      throw new CallError(noAnswer(), { cause })
    }
  }
}

function refusal(response: Response, body: Partial<ErrorBody>): CallError {
  return new CallError(
    {
      status: response.status,
      code: body.code ?? 'other/unknown',
      correlationId: body.correlationId ?? null,
      retryAfterMs: Math.max(0, Number(response.headers.get('retry-after')) * 1000) || undefined,
    },
    // What the service said of it in words: `debug` shows it.
    { cause: body },
  )
}
