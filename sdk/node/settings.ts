// The client's options, checked once. No message repeats a value: these are secrets, and they end in logs.

import type { NotificationClientOptions } from './client.ts'
import { decodeSigningSecret } from './enrichers/signature.ts'
import { type SenderDeps, waitFor } from './tracking/send.ts'

const DEFAULT_URL = 'http://127.0.0.1:3000'
const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_RETRY_DELAYS_MS = [1000, 2000]
/** The longest that a timer takes. */
const MAX_TIMER_MS = 2_147_483_647

/** How each begins. A value of no known form is taken: the server has the last word on it. */
const FORMS = { authSecretKey: 'nc_auth_', sdkSecretKey: 'nc_sdk_', webhookSigningSecret: 'whsec_' } as const
const KNOWN_FORMS = [...Object.values(FORMS), 'nc_front_']

export interface ParsedOptions {
  authSecretKey: string
  signingKeys: readonly Uint8Array[] | undefined
  sender: SenderDeps
  now: () => number
  onEnricherError: NonNullable<NotificationClientOptions['onEnricherError']>
}

/** Throws a TypeError that names the option. */
export function parseOptions(options: NotificationClientOptions): ParsedOptions {
  if (typeof options !== 'object' || options === null) throw new TypeError('NotificationClient needs its options.')
  const { sdkSecretKey, webhookSigningSecret: secret, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const { retryDelaysMs = DEFAULT_RETRY_DELAYS_MS, now = Date.now, onEnricherError = () => {} } = options
  const ownFetch = options.fetch
  if (ownFetch !== undefined && typeof ownFetch !== 'function') throw new TypeError('fetch must be a function.')
  if (typeof now !== 'function') throw new TypeError('now must be a function.')
  if (typeof onEnricherError !== 'function') throw new TypeError('onEnricherError must be a function.')
  return {
    authSecretKey: parseText(options.authSecretKey, 'authSecretKey'),
    signingKeys: secret === undefined ? undefined : decodeSigningSecret(parseText(secret, 'webhookSigningSecret')),
    sender: {
      url: parseUrl(options.baseUrl ?? DEFAULT_URL),
      sdkSecretKey: parseKey(sdkSecretKey),
      // Looked up at each call: who replaces the platform's own later is heard.
      fetch: ownFetch ?? ((...args) => globalThis.fetch(...args)),
      timeoutMs: parseTimer(timeoutMs, 'timeoutMs'),
      delaysMs: parseDelays(retryDelaysMs),
      wait: waitFor,
    },
    now,
    onEnricherError,
  }
}

function parseText(value: unknown, name: keyof typeof FORMS): string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a text that is not empty.`)
  const form = KNOWN_FORMS.find((begin) => value.trimStart().startsWith(begin))
  // Of two that were swapped the authSecretKey would go out with each event.
  if (form !== undefined && form !== FORMS[name]) {
    throw new TypeError(`${name} is another kind of secret: one that begins with ${FORMS[name]} is wanted.`)
  }
  return value
}

// A header takes no other characters, and the platform would quote the whole header in its error.
function parseKey(value: unknown): string {
  const key = parseText(value, 'sdkSecretKey')
  if (!/^[\x20-\x7e]+$/.test(key.trim())) throw new TypeError('sdkSecretKey holds characters that no key has.')
  return key
}

function parseUrl(value: unknown): string {
  const url = typeof value === 'string' ? tryUrl(value) : null
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be an http or https address.')
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl must not hold a user or a password.')
  if (url.search !== '' || url.hash !== '') throw new TypeError('baseUrl must not hold a query or a fragment.')
  return url.href.replace(/\/+$/, '')
}

function tryUrl(value: string): URL | null {
  try {
    return new URL(value)
  } catch {
    return null
  }
}

/** Throws a TypeError unless a timer can take it. */
export function parseTimer(value: unknown, name: string): number {
  if (typeof value === 'number' && value >= 0 && value <= MAX_TIMER_MS) return value
  throw new TypeError(`${name} must be a number of milliseconds.`)
}

function parseDelays(value: unknown): number[] {
  if (!Array.isArray(value)) throw new TypeError('retryDelaysMs must be a list of milliseconds.')
  return value.map((delay) => parseTimer(delay, 'retryDelaysMs'))
}
