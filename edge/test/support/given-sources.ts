// Creates sources over the API, and sends them deliveries that are signed as their platforms sign.

import { createHash, createHmac } from 'node:crypto'
import type { CreatedSourceAnswer, SourceAnswer } from '../../../contract/resources/source.ts'
import type { SourceDeliveryAnswer } from '../../../contract/resources/source-delivery.ts'
import type { ConnectorPlatform } from '../../../contract/tenant.ts'
import type { Answer, GivenEdge } from './given.ts'

/** @returns The headers of a signed delivery. @param at Epoch ms. */
export function signedHeaders(
  provider: ConnectorPlatform,
  { secret, body, url, at = Date.now() }: { secret: string; body: string | Buffer; url: string; at?: number },
): Record<string, string> {
  const hmac = (algorithm: string, before: string, after = '', encoding: 'hex' | 'base64' = 'hex') =>
    createHmac(algorithm, secret).update(before).update(body).update(after).digest(encoding)
  const seconds = String(Math.floor(at / 1000))
  switch (provider) {
    case 'segment':
      return { 'x-signature': hmac('sha1', '') }
    case 'stripe':
      return { 'stripe-signature': `t=${seconds},v1=${hmac('sha256', `${seconds}.`)}` }
    case 'hubspot':
      return {
        'x-hubspot-request-timestamp': String(at),
        'x-hubspot-signature-v3': hmac('sha256', `POST${url}`, String(at), 'base64'),
      }
    case 'intercom':
      return { 'x-hub-signature': `sha1=${hmac('sha1', '')}` }
    case 'standardwebhooks': {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
      const id = createHash('sha256').update(body).digest('hex')
      const signature = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64')
      return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` }
    }
    case 'hmac':
      return { 'x-signature': hmac('sha256', '') }
    case 'customerio':
      return { 'x-cio-timestamp': seconds, 'x-cio-signature': hmac('sha256', `v0:${seconds}:`) }
  }
}

export type GivenSources = ReturnType<typeof givenSources>

interface Sent {
  secret?: string
  /** Epoch ms of the signature. */
  at?: number
  path?: string
  headers?: Record<string, string>
}

/** Calls with the key of the environment `dev`. */
export function givenSources(given: GivenEdge) {
  const key = () => given.demo.environments.dev.sdkSecretKey
  let made = 0
  return {
    async create(provider: ConnectorPlatform, settings: object = {}): Promise<CreatedSourceAnswer> {
      const body = { name: `A source of ${provider} ${++made}`, provider, ...settings }
      const answer = await given.call<CreatedSourceAnswer>('POST', '/v1/sources', { key: key(), body })
      if (answer.status !== 201) throw new Error(`source not created: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    read: async (id: string) => (await given.call<SourceAnswer>('GET', `/v1/sources/${id}`, { key: key() })).body,
    change: <T = SourceAnswer>(id: string, verb: string, body: object = {}) =>
      given.call<T>('POST', `/v1/sources/${id}/${verb}`, { key: key(), body }),
    async deliveries(id: string): Promise<SourceDeliveryAnswer[]> {
      const path = `/v1/sources/${id}/deliveries`
      return (await given.call<{ data: SourceDeliveryAnswer[] }>('GET', path, { key: key() })).body.data
    },
    /** Sends a signed delivery to the server itself; the signature is over the public address. */
    async deliver(source: CreatedSourceAnswer, payload: unknown, sent: Sent = {}): Promise<Answer> {
      const { provider, url, verificationSecret } = source
      const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
      const { secret = verificationSecret, at, path = `/v1/connectors/${provider}/${source.id}`, headers: more } = sent
      const signed = signedHeaders(provider, { secret, body, url, ...(at !== undefined && { at }) })
      const headers = { 'content-type': 'application/json', ...signed, ...more }
      const response = await fetch(given.url + path, { method: 'POST', headers, body })
      return { status: response.status, headers: response.headers, body: JSON.parse((await response.text()) || '{}') }
    },
  }
}

/** A track call as Segment delivers it. */
export function trackCall(messageId: string, fields: object = {}) {
  return { type: 'track', event: 'Order Completed', messageId, userId: 'u_1', properties: { name: 'Ada' }, ...fields }
}
