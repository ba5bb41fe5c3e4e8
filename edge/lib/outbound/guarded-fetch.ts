// Calls addresses that customers configured (JWKS, enrichers) without letting them reach what is not theirs (contract section 8, choices "SSRF guard").

import type { lookup } from 'node:dns'
import { Agent, request } from 'undici'
import { createAddressRule } from './address-rule.ts'
import { createGuardedConnector } from './guarded-connector.ts'
import { OutboundError } from './outbound-error.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 1024 * 1024
const HEADER_BYTES = 16 * 1024

export interface OutboundRequest {
  method?: 'GET' | 'POST'
  /** By lower-case name. */
  headers?: Record<string, string>
  body?: string
  /** For the whole call; default 5 s. */
  timeoutMs?: number
  /** Of the answer's body; default 1 MiB. */
  maxBytes?: number
}

export interface OutboundAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface GuardedFetch {
  /** The answer, whatever its status but a redirect. Throws OutboundError for all that is none. */
  fetch(url: string, options?: OutboundRequest): Promise<OutboundAnswer>
  /** Closes idle connections; calls under way are cut. */
  close(): Promise<void>
}

export interface GuardedFetchDeps {
  /** Ranges of OUTBOUND_ALLOW. */
  allow: readonly string[]
  /** Resolves names; the system's by default. */
  resolve?: typeof lookup
}

export function createGuardedFetch({ allow, resolve }: GuardedFetchDeps): GuardedFetch {
  const rule = createAddressRule(allow)
  const connect = createGuardedConnector({ rule, timeoutMs: TIMEOUT_MS, ...(resolve && { resolve }) })
  const agent = new Agent({ connect, maxHeaderSize: HEADER_BYTES, keepAliveTimeout: 4000, connections: 16 })
  return {
    async fetch(url, options = {}) {
      const target = parseTarget(url)
      const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
      try {
        const { statusCode, headers, body } = await request(target, {
          dispatcher: agent,
          method: options.method ?? 'GET',
          headers: { 'accept-encoding': 'identity', ...options.headers },
          ...(options.body !== undefined && { body: options.body }),
          signal,
        })
        // A body that is left unread, or cut, fails once more when nobody listens: without this it would end the process.
        body.on('error', () => {})
        if (statusCode >= 300 && statusCode < 400) {
          body.destroy()
          throw new OutboundError('redirect')
        }
        return { status: statusCode, headers, body: await readText(body, options.maxBytes ?? MAX_BYTES) }
      } catch (error) {
        throw toOutboundError(error, signal)
      }
    },
    close: () => agent.destroy(),
  }
}

function parseTarget(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target === undefined || target.username !== '' || target.password !== '') throw new OutboundError('invalid-url')
  if (target.protocol !== 'https:' && target.protocol !== 'http:') throw new OutboundError('forbidden-scheme')
  return target
}

async function readText(body: AsyncIterable<Buffer> & { destroy(): unknown }, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) {
      body.destroy()
      throw new OutboundError('too-large')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

function toOutboundError(error: unknown, signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error
  // With several addresses of a name node gathers what each attempt threw.
  const inner = error instanceof AggregateError ? error.errors.find((one) => one instanceof OutboundError) : undefined
  if (inner !== undefined) return inner
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? ''
  return new OutboundError(signal.aborted || TIMEOUT_CODES.has(code) ? 'timeout' : 'unreachable', { cause: error })
}
