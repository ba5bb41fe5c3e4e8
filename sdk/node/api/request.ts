// Calls the routes of the API that have no method of their own.

import { randomUUID } from 'node:crypto'
import { checkOptions, type TrackOptions } from '../tracking/events.ts'
import type { Send } from '../tracking/send.ts'
import { writeJson } from '../write-json.ts'

/** The answer; of a list also its items, page after page. */
export type Requested<Answer> = Promise<Answer> & AsyncIterable<ItemOf<Answer>>

type ItemOf<Answer> = Answer extends { data: readonly (infer Item)[]; nextCursor: unknown } ? Item : never

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Another beginning may lead to another host, and the key with it. */
const PATH = /^\/[!-"$-[\]-~]*$/

export function createRequest(send: Send) {
  async function call(method: string, path: string, body: unknown, options: TrackOptions) {
    if (!METHODS.includes(method)) throw new TypeError(`method must be one of ${METHODS.join(', ')}.`)
    if (typeof path !== 'string' || !PATH.test(path)) {
      throw new TypeError('path must begin with a slash, such as /v1/deliveries, and be encoded.')
    }
    // The service refuses a key in the header beside another one in the body.
    const hasKey = method === 'GET' || Object(body).idempotencyKey !== undefined
    const sent = await send(
      {
        method,
        path,
        body: body === undefined ? undefined : writeJson(body),
        key: hasKey ? undefined : randomUUID(),
        isAnswer: () => true,
      },
      checkOptions(options),
    )
    // The types come from `/openapi.json`.
    return sent.body as never
  }

  return function request(method: string, path: string, body: unknown, options: TrackOptions): Requested<never> {
    const first = call(method, path, body, options)
    async function* items(): AsyncGenerator<never> {
      let page = toPage(await first)
      for (;;) {
        yield* page.data
        if (typeof page.nextCursor !== 'string') return
        page = toPage(await call(method, withCursor(path, page.nextCursor), undefined, options))
      }
    }
    return Object.assign(first, { [Symbol.asyncIterator]: items })
  }
}

function toPage(answer: unknown): { data: readonly never[]; nextCursor?: unknown } {
  const { data, nextCursor }: { data?: readonly never[]; nextCursor?: unknown } = Object(answer)
  if (!Array.isArray(data)) throw new TypeError('This route answers no list.')
  return { data, nextCursor }
}

function withCursor(path: string, cursor: string): string {
  const [bare, query] = path.split('?', 2) as [string, string?]
  const params = new URLSearchParams(query)
  params.set('cursor', cursor)
  return `${bare}?${params}`
}
