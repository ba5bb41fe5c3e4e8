// Builds the request to an enricher: a payload that is signed byte for byte, in an envelope that repeats the headers.

import type { EnricherCall } from '../domain/enricher.ts'
import { hmacBase64 } from '../lib/hmac.ts'

export interface Envelope {
  callId: string
  name: string
  params: object
  /** JSON text, the same for every attempt. */
  payload: string
  /** Of the event that the run began with, so that the logs of both sides can be compared. */
  correlationId: string
}

/** Headers and body of one attempt. */
export interface SignedRequest {
  headers: Record<string, string>
  body: string
}

const SECRET_PREFIX = 'whsec_'

/** Encodes the payload once, so that all attempts send the same bytes. */
export function createEnvelope({ callId, name, params, user, event, correlationId }: EnricherCall): Envelope {
  return { callId, name, params, payload: JSON.stringify({ id: callId, name, params, user, event }), correlationId }
}

/**
 * Signs one attempt at `nowMs` (epoch ms). `secrets` are the valid values of `webhookSigningSecret`: one signature each, so
 * that either side may rotate first.
 */
export function signRequest(envelope: Envelope, secrets: readonly string[], nowMs: number): SignedRequest {
  const { callId, name, params, payload, correlationId } = envelope
  const timestamp = String(Math.floor(nowMs / 1000))
  const signed = `${callId}.${timestamp}.${payload}`
  const headers = {
    'webhook-id': callId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${hmacBase64(keyOf(secret), signed)}`).join(' '),
  }
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-correlation-id': correlationId,
      ...headers,
    },
    body: JSON.stringify({ name, payload, params, headers }),
  }
}

/** @returns `<url>?name=<enricher>`, or `&name=` after a query that the address has already. */
export function addressOf(url: string, name: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}name=${encodeURIComponent(name)}`
}

/** Decodes the base64 of a secret, as Standard Webhooks requires. */
function keyOf(secret: string): Uint8Array {
  return Buffer.from(secret.slice(secret.startsWith(SECRET_PREFIX) ? SECRET_PREFIX.length : 0), 'base64')
}
