// Verifies messages of Amazon SNS: the topic, and the signature by a certificate of SNS.

import { createVerify, type KeyObject, X509Certificate } from 'node:crypto'
import { ApiError } from '../../lib/api-error.ts'
import { type Cache, createCache } from '../../lib/cache.ts'
import type { GuardedFetch, OutboundAnswer } from '../../lib/outbound/guarded-fetch.ts'
import { type Fields, textOf } from '../../lib/webhook-body.ts'

/** A region, but no bucket of S3, where anyone may have one by the name `sns`. */
const SNS_HOST = /^sns\.(?!s3-)[a-z0-9-]{3,}\.amazonaws\.com(\.cn)?$/
const MAX_CERTIFICATES = 20
const MAX_CERTIFICATE_BYTES = 64 * 1024
const ALGORITHMS: ReadonlyMap<unknown, string> = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
])
const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']

/** By the message's `Type`. */
const SIGNED: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['Notification', NOTIFICATION],
  ['SubscriptionConfirmation', CONFIRMATION],
  ['UnsubscribeConfirmation', CONFIRMATION],
])

export interface SnsMessage {
  type: string
  id: string
  message: string
  /** Confirms the subscription when it is called. */
  subscribeUrl: string | null
}

export interface SnsVerifier {
  /**
   * @returns the message, or why it is refused
   * @throws ApiError `service/unavailable` when the certificate cannot be fetched now
   */
  verify(fields: Fields, topicArn: string): Promise<SnsMessage | { reason: string }>
}

export function createSnsVerifier(fetch: GuardedFetch['fetch']): SnsVerifier {
  const keys = createCache<string, KeyObject>({ maxSize: MAX_CERTIFICATES })
  return {
    async verify(fields, topicArn) {
      const { Type, MessageId, Message, TopicArn, SignatureVersion, Signature, SigningCertURL } = fields
      const signed = canonicalOf(fields)
      if (signed === undefined || typeof Signature !== 'string') return { reason: 'This is no signed message of SNS.' }
      if (topicArn === '' || TopicArn !== topicArn) return { reason: 'The topic is not the one of this integration.' }
      const algorithm = ALGORITHMS.get(SignatureVersion)
      if (algorithm === undefined) return { reason: 'The version of the signature is unknown.' }
      if (typeof SigningCertURL !== 'string' || !isOfSns(SigningCertURL, { ending: '.pem' })) {
        return { reason: 'The certificate is not one of SNS.' }
      }
      const key = keys.get(SigningCertURL) ?? (await fetchKey(fetch, SigningCertURL, keys))
      const isRight =
        key !== undefined && createVerify(algorithm).update(signed, 'utf8').verify(key, Signature, 'base64')
      if (!isRight) return { reason: 'The signature is wrong.' }
      const subscribeUrl = textOf(fields.SubscribeURL)
      return { type: String(Type), id: String(MessageId), message: String(Message), subscribeUrl }
    },
  }
}

/** The signed text; undefined when a field of it is missing. */
export function canonicalOf(fields: Fields): string | undefined {
  const names = SIGNED.get(fields.Type)
  if (names === undefined) return undefined
  let text = ''
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string') text += `${name}\n${value}\n`
    else if (name !== 'Subject') return undefined
  }
  return text
}

/** Whether it is an https address of SNS itself. */
export function isOfSns(url: string, { ending = '' } = {}): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host, pathname, search, username, password } = new URL(url)
  const isPlain = username === '' && password === '' && (ending === '' || search === '')
  return protocol === 'https:' && SNS_HOST.test(host) && isPlain && pathname.endsWith(ending)
}

async function fetchKey(fetch: GuardedFetch['fetch'], url: string, keys: Cache<string, KeyObject>) {
  const { status, body } = await fetchCertificate(fetch, url)
  // SNS does not send again what was answered with 4xx.
  if (status >= 500 || status === 429) throw new ApiError('service/unavailable')
  const key = status === 200 ? publicKeyOf(body) : undefined
  if (key !== undefined) keys.set(url, key)
  return key
}

async function fetchCertificate(fetch: GuardedFetch['fetch'], url: string): Promise<OutboundAnswer> {
  try {
    return await fetch(url, { maxBytes: MAX_CERTIFICATE_BYTES })
  } catch (cause) {
    throw new ApiError('service/unavailable', {}, { cause })
  }
}

function publicKeyOf(pem: string): KeyObject | undefined {
  try {
    const { publicKey } = new X509Certificate(pem)
    return publicKey.asymmetricKeyType === 'rsa' ? publicKey : undefined
  } catch {
    return undefined
  }
}
