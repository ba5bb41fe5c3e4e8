// Verifies messages of Amazon SNS: the topic, and the signature by a certificate of SNS.

import { createVerify, X509Certificate } from 'node:crypto'
import { ApiError } from '../../lib/api-error.ts'
import { createCache } from '../../lib/cache.ts'
import type { Clock } from '../../lib/clock.ts'
import { isEqualInConstantTime } from '../../lib/hmac.ts'
import type { GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { OutboundError } from '../../lib/outbound/outbound-error.ts'
import { type Fields, textAt } from './fields.ts'

const SNS_HOST = /^sns\.[a-z0-9-]{3,}\.amazonaws\.com(?:\.cn)?$/
const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
/** The fields that are signed, in this order; `Subject` only where it is there. */
const SIGNED: Record<string, string[]> = {
  Notification: NOTIFICATION,
  SubscriptionConfirmation: CONFIRMATION,
  UnsubscribeConfirmation: CONFIRMATION,
}
const ALGORITHMS: Record<string, string> = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' }
const CERTIFICATE_BYTES = 64 * 1024
/** AWS replaces its certificates about once a year. */
const CACHE_MS = 24 * 60 * 60 * 1000

export interface SnsVerifier {
  /**
   * @returns undefined for a message of the topic that SNS has signed, else what is wrong with it
   * @throws ApiError `service/unavailable` when the certificate cannot be fetched: SNS sends the message again
   */
  findFault(message: Fields, topicArn: string): Promise<string | undefined>
}

/** Caches certificates by their address. */
export function createSnsVerifier({ fetch, clock }: { fetch: GuardedFetch['fetch']; clock: Clock }): SnsVerifier {
  const certificates = createCache<string, X509Certificate>({ maxSize: 32, ttlMs: CACHE_MS, clock })

  async function findCertificate(url: string): Promise<X509Certificate | undefined> {
    const kept = certificates.get(url)
    if (kept !== undefined) return kept
    const answer = await fetch(url, { maxBytes: CERTIFICATE_BYTES }).catch((error: unknown) => {
      if (error instanceof OutboundError) throw new ApiError('service/unavailable', {}, { cause: error })
      throw error
    })
    if (answer.status >= 500 || answer.status === 429) throw new ApiError('service/unavailable')
    const certificate = answer.status === 200 ? toCertificate(answer.body) : undefined
    if (certificate !== undefined) certificates.set(url, certificate)
    return certificate
  }

  return {
    async findFault(message, topicArn) {
      // Before anything is fetched: only who knows the topic makes this server call out.
      if (!isEqualInConstantTime(textAt(message, 'TopicArn') ?? '', topicArn)) return 'The topic is another one.'
      const algorithm = ALGORITHMS[textAt(message, 'SignatureVersion') ?? '']
      const signed = toSignedText(message)
      const signature = textAt(message, 'Signature')
      const url = textAt(message, 'SigningCertURL')
      if (algorithm === undefined || signed === undefined || signature === null || url === null) {
        return 'The signature is missing or of an unknown kind.'
      }
      if (!isSnsUrl(url) || !new URL(url).pathname.endsWith('.pem')) return 'The certificate is not one of SNS.'
      const certificate = await findCertificate(url)
      if (certificate === undefined) return 'The certificate cannot be read.'
      if (!isValidAt(certificate, clock.now())) return 'The certificate has expired.'
      const isSigned = createVerify(algorithm).update(signed, 'utf8').verify(certificate.publicKey, signature, 'base64')
      return isSigned ? undefined : 'The signature is wrong.'
    },
  }
}

/** Whether the address is one of SNS itself. */
export function isSnsUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  return protocol === 'https:' && SNS_HOST.test(hostname) && `${port}${username}${password}` === ''
}

function toSignedText(message: Fields): string | undefined {
  const type = textAt(message, 'Type') ?? ''
  const names = Object.hasOwn(SIGNED, type) ? SIGNED[type] : undefined
  if (names === undefined) return undefined
  let signed = ''
  for (const name of names) {
    const value = Object.hasOwn(message, name) ? message[name] : undefined
    if (value === undefined && name === 'Subject') continue
    if (typeof value !== 'string') return undefined
    signed += `${name}\n${value}\n`
  }
  return signed
}

function toCertificate(pem: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(pem)
    return certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate : undefined
  } catch {
    return undefined
  }
}

function isValidAt(certificate: X509Certificate, now: number): boolean {
  return Date.parse(certificate.validFrom) <= now && now <= Date.parse(certificate.validTo)
}
