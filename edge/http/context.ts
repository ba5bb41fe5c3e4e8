// The Hono context as the routes see it, and the request's headers read the short way.

import type { HttpBindings } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'

/** Where large bodies find room (`limits/admission.ts`). */
export interface BodyRoom {
  takeBytes(bytes: number): boolean
  giveBytes(bytes: number): void
  /** Of each body, without asking. */
  freeBytes: number
}

export interface HttpEnv {
  /** Empty when a request does not come through a node server (`app.request` in tests). */
  Bindings: Partial<HttpBindings & { room: BodyRoom }>
}
export type HttpContext = Context<HttpEnv>
/** What of it a request's own reading needs; on the short way in (`node/short-way.ts`) there is no more, and no `req`. */
export type Asked = Pick<HttpContext, 'env' | 'req'>
export type HttpApp = OpenAPIHono<HttpEnv>

/** A request header by its lower-case name; read from node's own object where there is one, which costs nothing. */
export function headerOf(c: Asked, name: string): string | undefined {
  const headers = c.env?.incoming?.headers
  if (headers === undefined) return c.req.header(name)
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
