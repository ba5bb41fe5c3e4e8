// Reads a JSON object from a request and checks its limits, before a schema validates it. Order of errors: 415, 413, 400.

import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { JsonObject } from '../../../contract/json.ts'
import { LARGE_BODIES, LIMITS } from '../../../contract/limits.ts'
import { ApiError } from '../../lib/api-error.ts'
import { findTooMany } from '../../lib/count-values.ts'
import { type GuardOptions, guardJson, TOO_DEEP } from '../../lib/json-guard.ts'
import { type Listed, parseInParts } from '../../lib/json-parts.ts'
import { parseExactJson } from '../../lib/read-json.ts'
import { createBodyWeight } from '../limits/body-weight.ts'
import { bodyBudgetExceeded } from '../limits/load-shedding.ts'
import { headerOf, type RequestContext } from './context.ts'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i
// Other parameters mean nothing to JSON (RFC 8259 section 11).
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Event that `body-timeouts.ts` emits on a node request; the read of the body then fails with 408. */
export const TOO_SLOW = 'body-too-slow'

/** A body of at most so many characters is parsed at once. */
const PARSED_AT_ONCE = LIMITS.eventBytes

/**
 * Reads and parses a body.
 * @param options `by-handler`: the caller calls `refuseUnsafe`.
 * @param listed The list of a large body whose items are parsed one by one, with other work in between. In place of an
 * item that nobody parses stands its error, an ApiError.
 * @returns The body; a large integer that the guard lets pass is a bigint (`lib/read-json.ts`).
 * @throws ApiError 415, 413, 408 or `request/invalid-body`.
 */
export async function readJsonObject(
  c: RequestContext,
  maxBytes: number,
  options: GuardOptions | 'by-handler' = {},
  listed?: Listed,
): Promise<JsonObject> {
  requireJsonType(c)
  const raw = await readBytes(c, maxBytes)
  if (!isUtf8(raw)) throw new ApiError('request/invalid-body', { message: 'The body is not valid UTF-8.' })
  const isInParts = listed !== undefined && raw.length > PARSED_AT_ONCE
  const text = raw.toString('utf8')
  let value: unknown
  try {
    value = isInParts ? await parseInParts(text, listed, parsePart, checkRest) : parseExactJson(requireFew(text))
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw new ApiError('request/invalid-body', { message: 'The body is not valid JSON.' }, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('request/invalid-body', { message: 'The body is not a JSON object.' })
  }
  const body = value as JsonObject
  if (options !== 'by-handler') refuseUnsafe(body, options)
  return body
}

/** @returns the text. @throws ApiError 413, or 400 for nesting, when parsing it would stop everybody else */
function requireFew(text: string): string {
  const { values } = LARGE_BODIES
  const reason = text.length <= PARSED_AT_ONCE ? undefined : findTooMany(text, values)
  if (reason === undefined) return text
  if (reason === 'levels') throw new ApiError('request/invalid-body', { details: [{ path: '', message: TOO_DEEP }] })
  throw new ApiError('request/payload-too-large', {
    message: `A body over ${PARSED_AT_ONCE} bytes has at most ${values} values.`,
  })
}

/** @returns the value, or the error that stands for an item with too many values */
function parsePart(text: string): unknown {
  try {
    return parseExactJson(requireFew(text))
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** What stands beside the list of a large body is no larger than any other body. @throws ApiError 413 */
function checkRest(chars: number): void {
  if (chars > PARSED_AT_ONCE) throw tooLarge(PARSED_AT_ONCE)
}

function requireJsonType(c: RequestContext): void {
  requireIdentity(c)
  const type = headerOf(c, 'content-type')
  if (type === 'application/json') return
  if (type === undefined || !JSON_TYPE.test(type)) throw new ApiError('request/unsupported-media-type')
  const charset = CHARSET.exec(type)?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new ApiError('request/unsupported-media-type', { message: 'Send the body in UTF-8.' })
  }
}

/** @throws ApiError `request/unsupported-media-type` for an encoded body. */
export function requireIdentity(c: RequestContext): void {
  const encoding = headerOf(c, 'content-encoding') ?? 'identity'
  if (encoding.toLowerCase() === 'identity') return
  throw new ApiError('request/unsupported-media-type', { message: 'Send the body without a content encoding.' })
}

/** Reads the bytes; checks the limit by the declared length, and again as they arrive. @throws ApiError 413, 408 or 503. */
export function readBytes(c: RequestContext, maxBytes: number): Promise<Buffer> {
  const declared = Number(headerOf(c, 'content-length') ?? 0)
  if (declared > maxBytes) return Promise.reject(tooLarge(maxBytes))
  const incoming = c.env?.incoming as Readable | undefined
  const source = incoming ?? Readable.fromWeb((c.req.raw.body ?? new Blob([]).stream()) as ReadableStream)
  const reserve = reserveFor(c)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (resolveOrReject: () => void) => {
      source.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted).off(TOO_SLOW, onSlow)
      resolveOrReject()
    }
    // The rest is not read, because the connection closes after the answer (`node/shutdown.ts`).
    const fail = (error: ApiError) =>
      settle(() => {
        source.pause()
        reject(error)
      })
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) fail(tooLarge(maxBytes))
      else if (!reserve(chunk)) fail(bodyBudgetExceeded())
      else chunks.push(chunk)
    }
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    // The client does not read this answer, but the request must not be logged as a defect.
    const onAborted = () =>
      settle(() => reject(new ApiError('request/timeout', { message: 'The body did not arrive.' })))
    const onSlow = () => settle(() => reject(new ApiError('request/timeout')))
    source.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted).on(TOO_SLOW, onSlow)
    if (source.readableEnded) onEnd()
    else if (source.destroyed) onAborted()
  })
}

/** @returns A function that reserves the weight of a chunk until the answer is sent, and returns false when none is left. */
function reserveFor(c: RequestContext): (chunk: Buffer) => boolean {
  const { bodyBudget, outgoing } = c.env ?? {}
  if (bodyBudget === undefined || outgoing === undefined) return () => true
  const weigh = createBodyWeight(bodyBudget.freeBytes)
  let taken = 0
  return (chunk) => {
    const wanted = weigh(chunk) - bodyBudget.freeBytes - taken
    if (wanted <= 0) return true
    if (!bodyBudget.reserveBytes(wanted)) return false
    if (taken === 0) outgoing.once('close', () => bodyBudget.releaseBytes(taken))
    taken += wanted
    return true
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('request/payload-too-large', { message: `The body is larger than ${maxBytes} bytes.` })
}

/** Drops the key `__proto__` (`lib/json-guard.ts`). @throws ApiError `request/invalid-body` for content that no body may have. */
export function refuseUnsafe(body: JsonObject, options?: GuardOptions): void {
  const fault = guardJson(body, options)
  if (fault !== undefined) throw new ApiError('request/invalid-body', { details: [fault] })
}
