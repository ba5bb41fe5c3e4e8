// Parses an HTTP request as people paste it: a request line if there is one, headers, an empty line, the body.

import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from './api-error.ts'

export interface PastedRequest {
  method: string
  /** The target of the request line; null without one. */
  target: string | null
  /** By lower-case name; a header that comes twice is joined as node joins it. */
  headers: IncomingHttpHeaders
  /** What follows the first empty line, as it is. */
  body: string
}

const REQUEST_LINE = /^([A-Z]{1,20}) (\S{1,2048})(?: HTTP\/\d(?:\.\d)?)?$/
const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}):(.*)$/
const MAX_HEADERS = 200

/**
 * @param path Names the text in a fault.
 * @throws ApiError `request/invalid-body` for a line that is no header
 */
export function parsePastedRequest(text: string, path: string): PastedRequest {
  const end = /\r?\n\r?\n/.exec(text)
  const head = end === null ? text : text.slice(0, end.index)
  const lines = head.split(/\r?\n/)
  const line = REQUEST_LINE.exec(lines[0] ?? '')
  const first = line === null ? 0 : 1
  const headers = new Map<string, string>()
  if (lines.length > MAX_HEADERS) refuse(path, `At most ${MAX_HEADERS} lines of headers.`)
  for (const [at, one] of lines.slice(first).entries()) {
    const [, name, value = ''] = HEADER.exec(one) ?? []
    if (name === undefined) refuse(path, `Line ${at + first + 1} is no header. An empty line ends the headers.`)
    const key = name.toLowerCase()
    const before = headers.get(key)
    headers.set(key, before === undefined ? value.trim() : `${before}, ${value.trim()}`)
  }
  const body = end === null ? '' : text.slice(end.index + end[0].length)
  return { method: line?.[1] ?? 'POST', target: line?.[2] ?? null, headers: Object.fromEntries(headers), body }
}

function refuse(path: string, message: string): never {
  throw new ApiError('request/invalid-body', { details: [{ path, message }] })
}
