// Calls the dashboard's API: JSON with the session's cookie, and failures with message, reason and correlation id.

import type { ErrorBody } from '../../contract/errors.ts'
import { ownPath } from '../routing/prefix.ts'
import { type Query, withQuery } from './addresses.ts'
import { CALL } from './early-answers.ts'

/** A call without success. `status` is 0 where no answer came. */
export class ApiFailure extends Error {
  readonly status: number
  readonly body: Partial<ErrorBody>
  /** Seconds until another attempt may succeed; undefined where the answer has none. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: Partial<ErrorBody>, retryAfterSeconds?: number) {
    super(body.message ?? (status === 0 ? UNREACHABLE : `The server answered ${status}.`))
    this.status = status
    this.body = body
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const UNREACHABLE = 'The server is out of reach. Check your connection, then try again.'

export interface ApiClient {
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>
  send<T>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    query?: Query,
    signal?: AbortSignal,
  ): Promise<T>
  /** As `send`, but only while the server has that revision; "any" takes each. */
  sendAt<T>(
    revision: number | 'any',
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    query?: Query,
  ): Promise<T>
  /** @returns The answer with its stream, for exports. */
  open(path: string, query: Query, signal: AbortSignal): Promise<Response>
}

export interface ApiClientDeps {
  fetch: typeof fetch
  /** @returns The body of a call that was begun before; undefined sends the call. */
  takeEarly?(address: string): Promise<unknown>
  /**
   * Called when the session has ended. @param isChange Whether the call changes something, as only people begin one.
   * @returns whether there is a session again: the call is then repeated, once
   */
  renew(isChange: boolean): Promise<boolean>
}

/** All functions throw ApiFailure, and the browser's `AbortError` for an aborted call. */
export function createApiClient(deps: ApiClientDeps): ApiClient {
  async function call(method: string, path: string, init: RequestInit, query: Query = {}): Promise<Response> {
    try {
      return await attempt(method, path, init, query)
    } catch (error) {
      if (!isEndOfSession(error) || PUBLIC.test(path) || !(await deps.renew(method !== 'GET'))) throw error
      return attempt(method, path, init, query)
    }
  }
  async function attempt(method: string, path: string, init: RequestInit, query: Query): Promise<Response> {
    const headers = { ...CALL.headers, ...init.headers }
    let answer: Response
    try {
      answer = await deps.fetch(ownPath(withQuery(path, query)), { ...CALL, ...init, method, headers })
    } catch (error) {
      if (init.signal?.aborted) throw error
      throw new ApiFailure(0, {})
    }
    if (answer.ok) return answer
    throw await readFailure(answer)
  }
  return {
    async get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
      const early = await deps.takeEarly?.(withQuery(path, query ?? {}))
      if (early !== undefined) return early as T
      return (await call('GET', path, signal === undefined ? {} : { signal }, query)).json()
    },
    async send(method, path, body, query, signal) {
      const init = withBody(body)
      return (await call(method, path, signal === undefined ? init : { ...init, signal }, query)).json()
    },
    async sendAt(revision, method, path, body, query) {
      const init = withBody(body, { 'if-match': revision === 'any' ? '*' : `"${revision}"` })
      return (await call(method, path, init, query)).json()
    },
    open: (path, query, signal) => call('GET', path, { signal, headers: { accept: '*/*' } }, query),
  }
}

function withBody(body: unknown, headers: Record<string, string> = {}): RequestInit {
  if (body === undefined) return { headers }
  return { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
}

/** @returns Whether the call has no session any more. A wrong password or code has a reason, and the session stays. */
export function isEndOfSession(failure: unknown): boolean {
  if (!(failure instanceof ApiFailure)) return false
  return failure.body.code === 'auth/unauthenticated' && failure.body.reason === undefined
}

/** Calls that nobody needs a session for, or that want its end. */
const PUBLIC = /^\/v1\/dashboard\/auth\/(sign-in|sign-out$|invitations\/|password-reset)/

async function readFailure(answer: Response): Promise<ApiFailure> {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const body = (await answer.json().catch(() => ({}))) as Partial<ErrorBody>
  const correlationId = body.correlationId ?? answer.headers.get('x-correlation-id') ?? undefined
  return new ApiFailure(
    answer.status,
    { ...body, ...(correlationId !== undefined && { correlationId }) },
    Number.isFinite(seconds) ? seconds : undefined,
  )
}
