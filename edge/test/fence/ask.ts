// One request of the walk, its answer as bytes, and what of two answers must be the same.

import type { GivenEdge } from '../support/given.ts'
import type { Names } from './world.ts'

export interface Asked {
  method: string
  path: string
  authorization: string | undefined
  body?: object | undefined
}

export interface Heard {
  status: number
  /** Status line, headers and body, all that was sent. */
  text: string
  body: string
  code: string
}

/** So that it is the same in every answer. */
const CORRELATION = 'fence'
/** They say when, or how long the text is. */
const PASSING = ['date', 'content-length', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after']

export function createAsk(given: GivenEdge) {
  const count = { requests: 0 }

  async function ask({ method, path, authorization, body }: Asked): Promise<Heard> {
    count.requests++
    const response = await fetch(given.url + path, {
      method,
      headers: {
        'x-correlation-id': CORRELATION,
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const sent = await response.text()
    const headers = [...response.headers].filter(([name]) => !PASSING.includes(name))
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

/** The answer without what was asked for, times, and ids that are new with each call. */
export function withoutAsked(text: string, asked: Names): string {
  const values = Object.values(asked).flatMap((value) => [value, encodeURIComponent(value)])
  const longestFirst = [...new Set(values)].sort((a, b) => b.length - a.length)
  return longestFirst
    .reduce((rest, value) => rest.replaceAll(value, '<asked>'), text)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .replace(/"durationMs":\d+/g, '"durationMs":<time>')
    .replace(/\b(evt|msg|cmp|run)_[0-9a-z]{11}\b/g, '<id>')
}

/** What of the other tenant stands in an answer and was in none of the stranger's requests. */
export function leaksIn(heard: Heard, requests: Asked[], secrets: readonly string[]): string[] {
  const said = requests
    .map(({ path, body }) => `${decodeURIComponent(path)} ${JSON.stringify(body ?? null)}`)
    .join('\n')
  return secrets.filter((secret) => heard.text.includes(secret) && !said.includes(secret))
}
