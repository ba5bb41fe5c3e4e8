// Serves files from memory with ETag, cache rules and the correlation id; each is compressed once, at its first request.

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { ApiError } from '../../lib/api-error.ts'
import { correlationIdOf } from '../../lib/correlation.ts'
import { type AnswerHeaders, answerError } from '../kernel/answer.ts'
import { type HttpContext, headerOf } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'

/** One file as it is sent. */
export interface ServedFile {
  type: string
  /** Hash of the bytes before compression, without quotes. */
  etag: string
  plain: Bytes
  /** The compressed forms, made at the first call; null for a file that is small or compressed already. */
  compressed: Record<Coding, () => Promise<Bytes>> | null
}

type Bytes = Uint8Array<ArrayBuffer>
/** Content codings, the best one first. */
const CODINGS = ['br', 'gzip'] as const
type Coding = (typeof CODINGS)[number]

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}
/** Matches an `Accept-Encoding` that takes the coding. */
const ACCEPTED: Record<Coding, RegExp> = {
  br: /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/,
  gzip: /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/,
}
const COMPRESSED = /^(text|application)\/|svg/
// The best level takes seconds for the script of /docs, and saves only a few per cent more.
const BROTLI_LEVEL = 5

/** @returns The content type by file extension; undefined for files that are not served. */
export function findContentType(name: string): string | undefined {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)]
}

/** Prepares a file. Compression takes place in the thread pool: of all files at the start it would delay the first events. */
export function toServedFile(bytes: Uint8Array, type: string): ServedFile {
  const isCompressible = COMPRESSED.test(type) && bytes.length > 512
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL }
  return {
    type,
    etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 27),
    plain: new Uint8Array(bytes),
    compressed: isCompressible
      ? { br: once(() => promisify(brotliCompress)(bytes, { params })), gzip: once(() => promisify(gzip)(bytes)) }
      : null,
  }
}

function once(compress: () => Promise<Uint8Array>): () => Promise<Bytes> {
  let made: Promise<Bytes> | undefined
  return () => {
    made ??= compress().then((bytes) => new Uint8Array(bytes))
    return made
  }
}

/**
 * Serves GET and HEAD of a path, without a place in the API reference.
 * @param path May end in `/*`.
 * @param handler Returns the answer; undefined is answered 404.
 */
export function addFileRoute(
  http: Http,
  path: string,
  handler: (c: HttpContext, correlationId: string) => Promise<Response | undefined> | Response | undefined,
): void {
  const route = { method: 'get', path, tag: 'Site' }
  async function answerFile(correlationId: string, c: HttpContext): Promise<Response> {
    try {
      const answer = await handler(c, correlationId)
      if (answer === undefined) throw new ApiError('request/not-found')
      answer.headers.set('x-correlation-id', correlationId)
      return answer
    } catch (error) {
      return answerError(http, error, correlationId)
    }
  }
  http.onAdded?.(route)
  http.methods.set(path, new Set(['GET']))
  http.app.get(path, async (c) => {
    const correlationId = correlationIdOf(headerOf(c, 'x-correlation-id'))
    const from = performance.now()
    const answer = await answerFile(correlationId, c)
    http.onAnswered?.(route, answer.status, performance.now() - from, correlationId)
    return answer
  })
}

/** @returns The file in the best coding that the caller accepts; 304 when the caller has it already. */
export async function fileAnswer(c: HttpContext, file: ServedFile, extra: AnswerHeaders): Promise<Response> {
  const headers: AnswerHeaders = {
    'content-type': file.type,
    etag: `"${file.etag}"`,
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    ...extra,
  }
  if (namesEtag(headerOf(c, 'if-none-match'), file.etag)) return new Response(null, { status: 304, headers })
  const accepted = headerOf(c, 'accept-encoding') ?? ''
  const { compressed, plain } = file
  const coding = compressed === null ? undefined : CODINGS.find((one) => ACCEPTED[one].test(accepted))
  if (coding !== undefined) headers['content-encoding'] = coding
  const body = (coding && (await compressed?.[coding]())) ?? plain
  headers['content-length'] = String(body.length)
  return new Response(body, { status: 200, headers })
}

/** @returns Whether an `If-None-Match` header contains the ETag; weak ones compare equal (RFC 9110, section 13.1.2). */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((part) => {
    const tag = part.trim()
    return tag === '*' || tag.replace(/^W\//, '') === `"${etag}"`
  })
}
