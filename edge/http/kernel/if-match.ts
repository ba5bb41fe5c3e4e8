// Reads the precondition `If-Match` of a change, or refuses it, and writes the ETag of a revision (RFC 9110, section 13.1.1).

import { z } from '@hono/zod-openapi'
import type { TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { AnswerHeaders } from './answer.ts'
import { headerOf, type RequestContext } from './context.ts'
import type { CallerKind, RouteSpec } from './route-spec.ts'

/** Documents the header. */
export const ifMatchHeader = z.object({
  'If-Match': z.string().optional().openapi({
    description:
      'The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`.',
  }),
})

/** Callers of tracking, of sign-ins and of links, which send no preconditions, and whose calls are many. */
const UNASKED: ReadonlySet<CallerKind> = new Set(['none', 'bearer'])

/** @returns Whether a route refuses `If-Match`: it changes something, and does not compare revisions. */
export function refusesIfMatch({ method, caller, headers }: IfMatchRoute): boolean {
  return method !== 'get' && !UNASKED.has(caller) && headers !== ifMatchHeader
}

type IfMatchRoute = Pick<RouteSpec<CallerKind, unknown, unknown>, 'method' | 'caller'> & {
  headers?: object | undefined
}

/** @throws ApiError `request/conflict`, reason `no-revision`, for a request with `If-Match`: a change would ignore it */
export function refuseIfMatch(c: RequestContext): void {
  if (headerOf(c, 'if-match') === undefined) return
  const message = 'This call takes no `If-Match`: it compares no revision.'
  throw new ApiError('request/conflict', { message, reason: 'no-revision', details: [{ path: '', message }] })
}

const etagOf = (revision: number) => `"${revision}"`
/** Strong and weak tags; a quoted text may have commas in it. */
const TAGS = /(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

/**
 * @returns Whether the request takes a revision; undefined without `If-Match`. `*` takes any, a weak tag none, and a header
 * that is no list of tags none.
 */
export function takesRevision(c: RequestContext): TakesRevision | undefined {
  const header = headerOf(c, 'if-match')?.trim()
  if (header === undefined) return undefined
  if (header === '*') return () => true
  const isList = header.replace(TAGS, '').replace(/[ \t,]/g, '') === ''
  const tags = new Set(isList ? header.match(TAGS) : [])
  return (revision) => tags.has(etagOf(revision))
}

/** Sets the ETag of an answer, which is not compressed: that would make the tag a weak one, which `If-Match` never takes. */
export function withEtag<T extends { revision: number }>({ headers }: { headers: AnswerHeaders }, answer: T): T {
  headers.etag = etagOf(answer.revision)
  headers['cache-control'] = 'no-store, no-transform'
  return answer
}
