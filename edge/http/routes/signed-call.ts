// Reads calls of other services, which are signed over their raw bytes, and answers their probes.

import type { IncomingHttpHeaders } from 'node:http'
import { LARGE_BODIES } from '../../../contract/limits.ts'
import { readBytes, requireIdentity } from '../kernel/body.ts'
import type { RequestContext } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'

/** @throws ApiError 415 for an encoded body, 413 for a larger one, 408 or 503. */
export async function readSignedCall(
  c: RequestContext,
  maxBytes: number = LARGE_BODIES.deliveryBytes,
): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  requireIdentity(c)
  const body = await readBytes(c, maxBytes)
  return { headers: c.env?.incoming?.headers ?? c.req.header(), body }
}

/** Some services ask with HEAD whether the address exists before they save it. GET stays a 405. */
export function addProbe({ app }: Http, path: string): void {
  app.get(path, (c, next) => (c.req.raw.method === 'HEAD' ? c.body(null, 200) : next()))
}
