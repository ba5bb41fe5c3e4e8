// Reads the query of a request: other names of parameters become ours, and unknown or repeated ones are refused.

import { ZodObject, type ZodType } from 'zod'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { RequestContext } from './context.ts'

type Query = Record<string, string>

/** Other names of parameters, on each route that has the parameter. */
const NAMES: Record<string, string> = { recipient: 'userId', campaign: 'campaignId' }
/** Parameters whose values are words, in any case. */
const WORDS: ReadonlySet<string> = new Set(['window', 'channel', 'status', 'engagement'])
/** Values of `status` that are steps of the engagement. */
const ENGAGED = ['read', 'opened', 'clicked']

/**
 * Reads a query for its schema, which then checks the values.
 * @throws ApiError `request/invalid-query` that names each parameter that the schema lacks or that is given twice
 */
export function readQuery(c: RequestContext, schema: ZodType | undefined): Query {
  const url = c.env?.incoming?.url ?? c.req.raw.url
  if (!url.includes('?')) return {}
  const known = schema instanceof ZodObject ? schema.shape : {}
  const query: Query = {}
  const details: ErrorDetail[] = []
  /** How the request names each parameter of `query`. */
  const names = new Map<string, string>()
  for (const [given, [first = '', ...others]] of Object.entries(c.req.queries())) {
    const [name, value] = translate(given, first, known)
    if (!Object.hasOwn(known, name)) details.push({ path: given, message: unknownName(Object.keys(known)) })
    else if (others.length > 0) details.push({ path: given, message: 'Give this parameter once.' })
    else if (names.has(name))
      details.push({ path: given, message: `${names.get(name)} says this already: give one of them.` })
    else {
      query[name] = value
      names.set(name, given)
    }
  }
  if (details.length > 0) throw new ApiError('request/invalid-query', { details: details.slice(0, 20) })
  return query
}

function translate(name: string, given: string, known: object): [name: string, value: string] {
  const value = WORDS.has(name) ? given.toLowerCase() : given
  if (name === 'window' && value === 'all-time') return [name, 'all']
  if (name === 'status' && ENGAGED.includes(value) && 'engagement' in known) return ['engagement', value]
  const ours = NAMES[name]
  if (ours !== undefined && ours in known) return [ours, value]
  return [name, value]
}

function unknownName(names: string[]): string {
  return names.length === 0 ? 'This route has no parameters.' : `Unknown. This route has ${names.join(', ')}.`
}
