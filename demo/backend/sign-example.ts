// Delivers an example of a platform to its source, signed as that platform signs. The secrets stay on this backend.

import { createHmac, randomBytes } from 'node:crypto'
import type { DemoFile } from './demo-file.ts'
import { type EdgeAnswer, type EdgeApi, toAnswerOfEdge } from './edge-api.ts'
import { type Example, examplePayload, PLATFORMS, type Platform } from './example-payloads.ts'

export interface Signing {
  secret: string
  /** The address that the platform calls. Only HubSpot signs it. */
  url: string
  body: string
  /** Epoch milliseconds. */
  now: number
}

/** @returns The headers that prove the body, by the platform's own scheme. */
export function signDelivery(platform: Platform, { secret, url, body, now }: Signing): Record<string, string> {
  const hmac = (algorithm: 'sha1' | 'sha256', text: string) => createHmac(algorithm, secret).update(text)
  const seconds = String(Math.floor(now / 1000))
  switch (platform) {
    case 'stripe':
      return { 'stripe-signature': `t=${seconds},v1=${hmac('sha256', `${seconds}.${body}`).digest('hex')}` }
    case 'segment':
      return { 'x-signature': hmac('sha1', body).digest('hex') }
    case 'hubspot':
      return {
        'x-hubspot-request-timestamp': String(now),
        'x-hubspot-signature-v3': hmac('sha256', `POST${url}${body}${now}`).digest('base64'),
      }
    case 'intercom':
      return { 'x-hub-signature': `sha1=${hmac('sha1', body).digest('hex')}` }
    case 'customerio':
      return { 'x-cio-timestamp': seconds, 'x-cio-signature': hmac('sha256', `v0:${seconds}:${body}`).digest('hex') }
  }
}

export interface DeliveryOrder {
  platform: Platform
  userId: string
  /** Undefined: a new one. */
  example: Example | undefined
  /** Signs with another secret, to show the refusal. */
  isForged: boolean
}

/** The edge's answer, and what sends the same delivery again. */
export interface SentDelivery {
  example: Example
  status: number
  body: unknown
  /** Of a new event. */
  eventId: string | null
}

export interface ExampleSenderDeps {
  sources: DemoFile['sources']
  /** The environment of the sources. */
  edge: Pick<EdgeApi, 'get'>
  edgeUrl: string
  /** The edge's address for platforms: a part of what HubSpot signs. */
  publicUrl: string
  /** Epoch milliseconds. */
  now(): number
}

/** @returns A function that delivers an example; an edge out of reach is answered as status 503. */
export function createExampleSender({ sources, edge, edgeUrl, publicUrl, now }: ExampleSenderDeps) {
  /** The platform gets no id of the event: it is the user's newest from there. */
  async function findEvent(platform: Platform, userId: string): Promise<string | null> {
    const answer = await edge.get(`/v1/events?limit=20&userId=${encodeURIComponent(userId)}`)
    const { data = [] } = (answer.body ?? {}) as { data?: { eventId: string; source: string }[] }
    return data.find(({ source }) => source === `connector:${platform}`)?.eventId ?? null
  }

  return async function sendExample({ platform, userId, example, isForged }: DeliveryOrder): Promise<SentDelivery> {
    const source = sources[platform]
    if (source === undefined) throw new TypeError(`demo.json has no source of ${platform}.`)
    const sent = example ?? { serial: randomBytes(16).toString('hex'), at: now() }
    const body = JSON.stringify(examplePayload(platform, userId, sent))
    const path = `/v1/connectors/${platform}/${source.id}`
    const secret = isForged ? 'not-the-secret-of-the-source' : source.verificationSecret
    // A platform signs each attempt anew: the time is that of the attempt.
    const signature = signDelivery(platform, { secret, url: publicUrl.replace(/\/$/, '') + path, body, now: now() })
    const { status, body: answer }: EdgeAnswer = await toAnswerOfEdge(
      fetch(edgeUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signature },
        body,
        signal: AbortSignal.timeout(15_000),
      }),
    )
    const isNew = (answer as { accepted?: number } | null)?.accepted === 1
    return { example: sent, status, body: answer, eventId: isNew ? await findEvent(platform, userId) : null }
  }
}

/** Reads what the page asks to deliver. @returns undefined for anything that is no such request */
export function parseOrder(body: Record<string, unknown> | undefined): DeliveryOrder | undefined {
  const platform = PLATFORMS.find((one) => one === body?.platform)
  const example = body?.example === undefined ? undefined : parseExample(body.example)
  if (platform === undefined || typeof body?.userId !== 'string' || example === null) return undefined
  return { platform, userId: body.userId, example, isForged: body.isForged === true }
}

function parseExample(value: unknown): Example | null {
  if (typeof value !== 'object' || value === null) return null
  const { serial, at } = value as Record<string, unknown>
  if (typeof serial !== 'string' || !/^[0-9a-f]{32}$/.test(serial)) return null
  return typeof at === 'number' && Number.isSafeInteger(at) && at > 0 && at < 8e15 ? { serial, at } : null
}
