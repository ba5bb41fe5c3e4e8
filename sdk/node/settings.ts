// Checks the client's options once. No message contains a value, because these are secrets and messages are logged.

import type { EnricherError } from './enrichers/errors.ts'
import { decodeSigningSecret } from './enrichers/signature.ts'
import { type FailedAttempt, type SenderDeps, waitFor } from './tracking/send.ts'

/** Names the variable with the address of the service. */
const URL_VARIABLE = 'NOTIFICATION_CENTER_URL'
const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_RETRY_DELAYS_MS = [1000, 2000]
/** The longest delay of a timer. */
const MAX_TIMER_MS = 2_147_483_647

/** The prefix of each key. Any other form is accepted, as only the service can judge it. */
const FORMS = { authSecretKey: 'nc_auth_', sdkSecretKey: 'nc_sdk_', webhookSigningSecret: 'whsec_' } as const
const KNOWN_FORMS = [...Object.values(FORMS), 'nc_front_']

export interface NotificationClientOptions {
  /** `nc_auth_…`. User tokens are computed with it; it never leaves this process. */
  authSecretKey: string
  /** `nc_sdk_…`. Sent with each tracked event. */
  sdkSecretKey: string
  /** `whsec_…`. Only `dispatch()` needs it. */
  webhookSigningSecret?: string | undefined
  /** Address of the service. Default: that of the environment variable `NOTIFICATION_CENTER_URL`. */
  baseUrl?: string | undefined
  /** Limit for one attempt of a tracking call, to the last byte of its answer. Default 10,000. */
  timeoutMs?: number | undefined
  /** Pauses before the second and the third attempt. Default 1,000 and 2,000; `[]` for no retry. */
  retryDelaysMs?: readonly number[] | undefined
  /** `transient` repeats only what may pass: no answer, 408, 425, 429, 5xx. Default `always`. */
  retry?: 'always' | 'transient' | undefined
  /** Receives each failed attempt. Errors that it throws are ignored. */
  onAttempt?: ((failed: FailedAttempt) => void) | undefined
  /** Replaces the platform's `fetch`: for a proxy or a service binding. */
  fetch?: typeof globalThis.fetch | undefined
  /** Replaces `Date.now` in tests. Epoch milliseconds. */
  now?: (() => number) | undefined
  /**
   * Receives the error of every failed dispatch, with the cause that is not sent to the service. Errors that it throws
   * are ignored.
   */
  onEnricherError?: ((error: EnricherError) => void) | undefined
}

export interface ParsedOptions {
  authSecretKey: string
  signingKeys: readonly Uint8Array[] | undefined
  sender: SenderDeps
  now: () => number
  onEnricherError: NonNullable<NotificationClientOptions['onEnricherError']>
}

/** Checks the options. @throws TypeError with the name of the option */
export function parseOptions(options: NotificationClientOptions): ParsedOptions {
  if (typeof options !== 'object' || options === null) throw new TypeError('NotificationClient needs its options.')
  const { sdkSecretKey, webhookSigningSecret: secret, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const { retryDelaysMs = DEFAULT_RETRY_DELAYS_MS, now = Date.now, onEnricherError = () => {} } = options
  const { retry = 'always', onAttempt = () => {}, fetch: ownFetch } = options
  if (ownFetch !== undefined && typeof ownFetch !== 'function') throw new TypeError('fetch must be a function.')
  if (retry !== 'always' && retry !== 'transient') throw new TypeError('retry must be "always" or "transient".')
  if (typeof onAttempt !== 'function') throw new TypeError('onAttempt must be a function.')
  if (typeof now !== 'function') throw new TypeError('now must be a function.')
  if (typeof onEnricherError !== 'function') throw new TypeError('onEnricherError must be a function.')
  return {
    authSecretKey: parseText(options.authSecretKey, 'authSecretKey'),
    signingKeys: secret === undefined ? undefined : decodeSigningSecret(parseText(secret, 'webhookSigningSecret')),
    sender: {
      url: parseUrl(options.baseUrl ?? urlOfEnvironment()),
      sdkSecretKey: parseKey(sdkSecretKey),
      // Read at each call, so that a later replacement of the platform's `fetch` takes effect.
      fetch: ownFetch ?? ((...args) => globalThis.fetch(...args)),
      timeoutMs: parseTimer(timeoutMs, 'timeoutMs'),
      retry,
      onAttempt,
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
  // With the two keys swapped, each event would send the authSecretKey.
  if (form !== undefined && form !== FORMS[name]) {
    throw new TypeError(`${name} is another kind of secret: one that begins with ${FORMS[name]} is wanted.`)
  }
  // Such as the line feed of a file: unlike that of the sdkSecretKey, which is sent, nothing would say what is wrong.
  if (form !== undefined && name !== 'sdkSecretKey' && value !== value.trim()) {
    throw new TypeError(`${name} has white space around it.`)
  }
  return value
}

// Other characters are invalid in a header, and the platform's error would quote the whole header.
function parseKey(value: unknown): string {
  const key = parseText(value, 'sdkSecretKey')
  if (!/^[\x20-\x7e]+$/.test(key.trim())) throw new TypeError('sdkSecretKey holds characters that no key has.')
  return key
}

/** Some platforms have no `process`. */
const urlOfEnvironment = () => (typeof process === 'undefined' ? undefined : process.env[URL_VARIABLE])

function parseUrl(value: unknown): string {
  if (value === undefined) {
    throw new TypeError(`baseUrl is missing: the address of your service. It may be in ${URL_VARIABLE} as well.`)
  }
  const url = typeof value === 'string' ? tryUrl(value) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl (or ${URL_VARIABLE}) must be an http or https address.`)
  }
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

/** @throws TypeError for a value that no timer accepts */
export function parseTimer(value: unknown, name: string): number {
  if (typeof value === 'number' && value >= 0 && value <= MAX_TIMER_MS) return value
  throw new TypeError(`${name} must be a number of milliseconds.`)
}

function parseDelays(value: unknown): number[] {
  if (!Array.isArray(value)) throw new TypeError('retryDelaysMs must be a list of milliseconds.')
  return value.map((delay) => parseTimer(delay, 'retryDelaysMs'))
}
