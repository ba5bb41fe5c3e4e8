// Calls addresses that customers configured (JWKS, enrichers, providers of mail), but no internal addresses (SSRF protection).

import { isUtf8 } from 'node:buffer'
import { Agent, type Dispatcher, request } from 'undici'
import { createAddressRule } from './address-rule.ts'
import { createGuardedConnector, type Dial } from './guarded-connector.ts'
import { OutboundError } from './outbound-error.ts'
import { createResolve, type Resolve } from './resolve.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 1024 * 1024
const HEADER_BYTES = 16 * 1024

export interface OutboundRequest {
  method?: 'GET' | 'POST'
  /** By lower-case name. */
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole call; default 5 s. */
  timeoutMs?: number
  /** Of the answer's body; default 1 MiB. */
  maxBytes?: number
  /** The answer's body is a file: it is not read as text. */
  asBytes?: boolean
  /** Aborts the call, which then throws as if the server was unreachable. */
  signal?: AbortSignal
}

export interface OutboundAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
  /** With `asBytes`, in place of `body`. */
  bytes?: Buffer
  /** False: bytes of the body that are no UTF-8 were replaced. */
  isUtf8: boolean
}

export interface GuardedFetch {
  /** Returns the answer with any status but a redirect. Throws OutboundError otherwise. */
  fetch(url: string, options?: OutboundRequest): Promise<OutboundAnswer>
  /** Closes all connections; calls in progress fail. */
  close(): Promise<void>
}

export interface GuardedFetchDeps {
  /** Ranges of OUTBOUND_ALLOW. */
  allow: readonly string[]
  /** Resolves names. Default: name servers, and with allowed ranges the system for names that they do not know. */
  resolve?: Resolve
  dial?: Dial
  /** Limit of connections per origin, default 16; further calls wait. Null: the caller limits them. */
  connections?: number | null
}

export function createGuardedFetch(deps: GuardedFetchDeps): GuardedFetch {
  const { allow, resolve = createResolve({ asksSystem: allow.length > 0 }), dial, connections = 16 } = deps
  const rule = createAddressRule(allow)
  const connect = createGuardedConnector({
    rule,
    timeoutMs: TIMEOUT_MS,
    resolve,
    ...(dial && { dial }),
  })
  const agent = new Agent({ connect, maxHeaderSize: HEADER_BYTES, keepAliveTimeout: 4000, connections })
  return {
    async fetch(url, options = {}) {
      const target = parseTarget(url)
      const time = startTime(options)
      let wasSent = false
      let status: number | undefined
      const onSending = () => {
        wasSent = true
      }
      try {
        const { statusCode, headers, body } = await request(target, {
          dispatcher: agent.compose(observeSending(onSending)),
          method: options.method ?? 'GET',
          headers: { 'accept-encoding': 'identity', ...options.headers },
          ...(options.body !== undefined && { body: options.body }),
          signal: time.signal,
        })
        status = statusCode
        // An unread or aborted body emits another error later, which would end the process without a listener.
        body.on('error', () => {})
        if (statusCode >= 300 && statusCode < 400) {
          body.destroy()
          throw new OutboundError('redirect')
        }
        const bytes = await readBytes(body, options.maxBytes ?? MAX_BYTES)
        if (options.asBytes === true) return { status: statusCode, headers, body: '', bytes, isUtf8: false }
        return { status: statusCode, headers, body: bytes.toString('utf8'), isUtf8: isUtf8(bytes) }
      } catch (error) {
        throw toOutboundError(error, time.isOver(), { wasSent, status })
      } finally {
        time.end()
      }
    },
    close: () => agent.destroy(),
  }
}

/** Calls `onSending` when a connection is open and the request is about to be written. */
function observeSending(onSending: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        onSending()
        handler.onRequestStart?.(controller, context)
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    })
}

/** Limits the time of one call without `AbortSignal.any`, whose result stays referenced by a long-lived signal. */
function startTime({ timeoutMs = TIMEOUT_MS, signal }: OutboundRequest) {
  const controller = new AbortController()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    controller.abort()
  }, timeoutMs)
  const cut = () => controller.abort()
  if (signal?.aborted === true) cut()
  signal?.addEventListener('abort', cut)
  return {
    signal: controller.signal,
    isOver: () => isOver,
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cut)
    },
  }
}

function parseTarget(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target === undefined || target.username !== '' || target.password !== '') throw new OutboundError('invalid-url')
  if (target.protocol !== 'https:' && target.protocol !== 'http:') throw new OutboundError('forbidden-scheme')
  return target
}

async function readBytes(body: AsyncIterable<Buffer> & { destroy(): unknown }, maxBytes: number): Promise<Buffer> {
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
  return Buffer.concat(chunks)
}

const TIMEOUT_CODES = new Set([
  'ETIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

// Error codes of TLS in node for an untrusted certificate.
const CERTIFICATE_CODES = /^(ERR_TLS_CERT_|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)_)/

function toOutboundError(
  error: unknown,
  isLate: boolean,
  reached: { wasSent: boolean; status: number | undefined },
): OutboundError {
  if (error instanceof OutboundError) return reached.wasSent ? new OutboundError(error.reason, reached) : error
  // With several addresses node collects the error of each attempt.
  const inner = error instanceof AggregateError ? error.errors.find((one) => one instanceof OutboundError) : undefined
  if (inner !== undefined) return inner
  const extra = { cause: error, ...reached }
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? ''
  if (isLate || TIMEOUT_CODES.has(code)) return new OutboundError('timeout', extra)
  return new OutboundError(CERTIFICATE_CODES.test(code) ? 'bad-certificate' : 'unreachable', extra)
}
