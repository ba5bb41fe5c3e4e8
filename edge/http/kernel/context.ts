// Declares the Hono context of the routes, and reads request headers from node's own object.

import type { HttpBindings } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'

/** Limits the bytes of all bodies in progress (`limits/load-shedding.ts`). */
export interface BodyBudget {
  /** @returns False when the limit is reached. */
  reserveBytes(bytes: number): boolean
  releaseBytes(bytes: number): void
  /** Bytes of each body that need no reservation. */
  freeBytes: number
}

export interface HttpEnv {
  /** Empty when a request does not come through a node server (`app.request` in tests). */
  Bindings: Partial<HttpBindings & { bodyBudget: BodyBudget; isMetricsPort: true }>
}
export type HttpContext = Context<HttpEnv>
/** The part of the context that routes use to read a request. The fast path (`node/fast-path.ts`) has no `req`. */
export type RequestContext = Pick<HttpContext, 'env' | 'req'>
export type HttpApp = OpenAPIHono<HttpEnv>

/**
 * Reads a request header, if possible from node's own object, which is faster.
 * @param name In lower case.
 * @returns Undefined when the request does not have the header.
 */
export function headerOf(c: RequestContext, name: string): string | undefined {
  const headers = c.env?.incoming?.headers
  if (headers === undefined) return c.req.header(name)
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
