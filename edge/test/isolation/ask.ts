// Sends one request of the tenant-isolation tests, and keeps the parts of the answer that are compared.

import type { GivenEdge } from '../support/given.ts'
import type { Names } from './tenant.ts'

export interface IsolationRequest {
  method: string
  path: string
  authorization: string | undefined
  body?: object | undefined
}

export interface Received {
  status: number
  /** Status line, most headers and body. */
  text: string
  body: string
  code: string
}

/** The same in every request, so that it is equal in every answer. */
const CORRELATION_ID = 'isolation'
/** Headers that contain times or text lengths. */
const VARYING_HEADERS = [
  'date',
  'content-length',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
]

/** Returns a function that sends a request, and the number of its requests. */
export function createAsk(given: GivenEdge) {
  const count = { requests: 0 }

  async function ask({ method, path, authorization, body }: IsolationRequest): Promise<Received> {
    count.requests++
    const response = await fetch(given.url + path, {
      method,
      headers: {
        'x-correlation-id': CORRELATION_ID,
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const sent = await response.text()
    const headers = [...response.headers].filter(([name]) => !VARYING_HEADERS.includes(name))
    const text = [response.status, ...headers.map((pair) => pair.join(': ')), '', sent].join('\n')
    return { status: response.status, text, body: sent, code: codeOf(sent) }
  }

  return { ask, count }
}

function codeOf(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null && 'code' in parsed ? String(parsed.code) : ''
  } catch {
    return ''
  }
}

/** Returns the answer with the requested names, times and new ids replaced by placeholders. */
export function replaceVarying(text: string, requestedNames: Names): string {
  const values = Object.values(requestedNames).flatMap((value) => [value, encodeURIComponent(value)])
  const longestFirst = [...new Set(values)].sort((a, b) => b.length - a.length)
  return longestFirst
    .reduce((rest, value) => rest.replaceAll(value, '<requested>'), text)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .replace(/"durationMs":\d+/g, '"durationMs":<time>')
    .replace(/\b(evt|msg|cmp|run|int|sec)_[0-9a-z]{11}\b/g, '<id>')
    .replace(/\b(whi_|src_[0-9a-z]{11}_eu_)[0-9a-f]{32}\b/g, '<id>')
    .replace(/"whsec_[A-Za-z0-9+/]{43}="/g, '"<random>"')
    .replace(/"password":"[0-9a-f]{48}"/g, '"password":<random>')
}

/** Returns values of the other tenant that an answer contains and no request of the caller contained. */
export function leaksIn(received: Received, requests: IsolationRequest[], secrets: readonly string[]): string[] {
  const requested = requests
    .map(({ path, body }) => `${decodeURIComponent(path)} ${JSON.stringify(body ?? null)}`)
    .join('\n')
  return secrets.filter((secret) => received.text.includes(secret) && !requested.includes(secret))
}
