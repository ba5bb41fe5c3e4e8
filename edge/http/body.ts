// Reads a JSON object from a request under its limits, before any schema sees it (contract section 1). Order: 415, 413, 400.

import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { JsonObject } from '../domain/json.ts'
import { ApiError } from '../lib/api-error.ts'
import { type GuardOptions, guardJson } from '../lib/json-guard.ts'
import { type Asked, headerOf } from './context.ts'
import { noRoomForBody } from './limits/admission.ts'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i
// Other parameters mean nothing to JSON (RFC 8259 section 11).
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Emitted on a node request by `slow-bodies.ts`; whoever reads the body then gives up. */
export const TOO_SLOW = 'body-too-slow'

/** The body as a JSON object. Throws 415, 413, 408 or `request/invalid-body`. */
export async function readJsonObject(
  c: Asked,
  maxBytes: number,
  options: GuardOptions | 'by-handler' = {},
): Promise<JsonObject> {
  requireJsonType(c)
  return parseJsonObject(await readBytes(c, maxBytes), options)
}

function requireJsonType(c: Asked): void {
  const encoding = headerOf(c, 'content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ApiError('request/unsupported-media-type', { message: 'Send the body without a content encoding.' })
  }
  const type = headerOf(c, 'content-type')
  if (type === 'application/json') return
  if (type === undefined || !JSON_TYPE.test(type)) throw new ApiError('request/unsupported-media-type')
  const charset = CHARSET.exec(type)?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new ApiError('request/unsupported-media-type', { message: 'Send the body in UTF-8.' })
  }
}

/** The raw bytes, held to the limit by the declared length and again while they come. */
export function readBytes(c: Asked, maxBytes: number): Promise<Buffer> {
  const declared = Number(headerOf(c, 'content-length') ?? 0)
  if (declared > maxBytes) return Promise.reject(tooLarge(maxBytes))
  const incoming = c.env?.incoming as Readable | undefined
  const source = incoming ?? Readable.fromWeb((c.req.raw.body ?? new Blob().stream()) as ReadableStream)
  const takeRoom = roomFor(c)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (act: () => void) => {
      source.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone).off(TOO_SLOW, onSlow)
      act()
    }
    // Not read on: the connection ends with the answer (`node/linger.ts`).
    const giveUp = (error: ApiError) =>
      settle(() => {
        source.pause()
        reject(error)
      })
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) giveUp(tooLarge(maxBytes))
      else if (!takeRoom(size)) giveUp(noRoomForBody())
      else chunks.push(chunk)
    }
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    // Nobody is there to read this answer; the request must only end without being taken for a defect.
    const onGone = () => settle(() => reject(new ApiError('request/timeout', { message: 'The body did not arrive.' })))
    const onSlow = () => settle(() => reject(new ApiError('request/timeout')))
    source.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone).on(TOO_SLOW, onSlow)
    if (source.readableEnded) onEnd()
    else if (source.destroyed) onGone()
  })
}

/** Takes room for what of a body is beyond the free bytes, until its answer is out. False when there is none. */
function roomFor(c: Asked): (size: number) => boolean {
  const { room, outgoing } = c.env ?? {}
  if (room === undefined || outgoing === undefined) return () => true
  let taken = 0
  return (size) => {
    const wanted = size - room.freeBytes - taken
    if (wanted <= 0) return true
    if (!room.takeBytes(wanted)) return false
    if (taken === 0) outgoing.once('close', () => room.giveBytes(taken))
    taken += wanted
    return true
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('request/payload-too-large', { message: `The body is larger than ${maxBytes} bytes.` })
}

/** Valid UTF-8, valid JSON, an object, and nothing in it that the guard refuses. */
function parseJsonObject(raw: Buffer, options: GuardOptions | 'by-handler'): JsonObject {
  if (!isUtf8(raw)) throw new ApiError('request/invalid-body', { message: 'The body is not valid UTF-8.' })
  let value: unknown
  try {
    value = JSON.parse(raw.toString('utf8'))
  } catch (cause) {
    throw new ApiError('request/invalid-body', { message: 'The body is not valid JSON.' }, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('request/invalid-body', { message: 'The body is not a JSON object.' })
  }
  const body = value as JsonObject
  if (options !== 'by-handler') refuseUnsafe(body, options)
  return body
}

/** Throws `request/invalid-body` for what no body may hold, and drops prototype keys (`lib/json-guard.ts`). */
export function refuseUnsafe(body: JsonObject, options?: GuardOptions): void {
  const fault = guardJson(body, options)
  if (fault !== undefined) throw new ApiError('request/invalid-body', { details: [fault] })
}
