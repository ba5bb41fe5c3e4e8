// Makes the call of an enricher as the service sends it, for tests of callers.

import { createHmac, randomUUID } from 'node:crypto'
import { decodeSigningSecret } from './signature.ts'

/** A call to sign. */
export interface EnricherCallToSign {
  name: string
  /** Default: those of a step without params, `{}`. */
  params?: unknown
  user?: object | undefined
  event?: object | undefined
  /** Default: a new one. */
  id?: string | undefined
  /** Default: now. */
  sentAt?: Date | undefined
}

/** A signed call: `dispatch(body)` takes it, and so does a server with `headers` and `JSON.stringify(body)`. */
export interface SignedEnricherCall {
  headers: { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string }
  body: { name: string; payload: string; params: unknown; headers: SignedEnricherCall['headers'] }
}

/**
 * Signs a call of an enricher with the `webhookSigningSecret` of the client that answers.
 * @throws TypeError, without the value, for an invalid secret
 */
export function signEnricherCall(webhookSigningSecret: string, call: EnricherCallToSign): SignedEnricherCall {
  const { name, params = {}, user = {}, event = {}, id = `enr_${randomUUID()}`, sentAt = new Date() } = call
  const [key] = decodeSigningSecret(webhookSigningSecret) as [Uint8Array]
  const payload = JSON.stringify({ id, name, params, user, event })
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`, 'utf8').digest('base64')
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` }
  return { headers, body: { name, payload, params: JSON.parse(payload).params, headers } }
}
