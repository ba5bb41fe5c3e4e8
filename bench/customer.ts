// Provides the public API calls of the load: the demo organisation's keys, one inbox campaign, and signed-in users.

import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { prepare } from './connection.ts'
import type { Request } from './load.ts'

interface Environment {
  id: string
  sdkSecretKey: string
  authSecretKey: string
  frontApiKey: string
}

export interface Session {
  sessionToken: string
  realtime: { url: string; path: string }
  inbox: { epoch: string; seq: number }
}

export interface Customer {
  /**
   * Creates the campaign of the load: an inbox message for each `bench.tracked`. `suffix` is added to its key. @returns
   * its id
   */
  publishCampaign(suffix?: string): Promise<string>
  /** Creates and publishes any campaign. @returns its id */
  publish(definition: object): Promise<string>
  /** Builds the request for a batch of these events. */
  trackEvents(events: object[]): Request
  /** Builds the request for one event. */
  trackEvent(event: object): Request
  /** Returns the campaign's id; undefined before it was created. */
  findCampaign(): Promise<string | undefined>
  signIn(userId: string): Promise<Session>
  /** Returns the attributes of the widget's tag. */
  tag(userId: string): Record<string, string>
  track(userId: string, at?: number): Request
  trackBatch(userIds: string[]): Request
  readInbox(session: Session): Request
  /** Builds a read of the changes after the session's position: for an idle inbox only the counts. */
  readCounts(session: Session): Request
  /** Builds a GET request with the key. */
  read(path: string): Request
  /** Adds users to a topic. */
  subscribe(topic: string, userIds: string[]): Promise<void>
  trackTopic(topic: string): Request
  /** Reads JSON outside of the load. @throws for every status except 2xx */
  ask<T>(path: string): Promise<T>
  /** Sends JSON with the key outside of the load. @throws for every status except 2xx */
  send<T>(path: string, body: object): Promise<T>
  /** Streams the body of a long answer. */
  stream(path: string): Promise<AsyncIterable<Uint8Array>>
  /** Environment id, as the command line expects it. */
  environmentId: string
  sdkSecretKey: string
}

/** Statuses of requests that had no effect: the server was busy, or could not read them in time. */
const BUSY = [408, 503]

const CAMPAIGN = {
  key: 'bench-tracked',
  name: 'Bench',
  category: 'bench',
  trigger: { event: 'bench.tracked' },
  steps: [
    {
      id: 'message',
      type: 'inbox',
      title: 'Your order {{ event.properties.orderId }} is on its way',
      body: 'It left {{ event.properties.from }} with {{ event.properties.items }} items.',
      link: '/orders/{{ event.properties.orderId }}',
      data: { at: '{{ event.properties.at }}' },
    },
  ],
}

/** Creates the calls. `newKey` replaces the demo's tracking key after a rotation. */
export function createCustomer(edgeUrl: string, dataDir: string, newKey?: string): Customer {
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as { environments: { dev: Environment } }
  const { id, authSecretKey, frontApiKey, ...keys } = demo.environments.dev
  const sdkSecretKey = newKey ?? keys.sdkSecretKey
  const authorization = `Bearer ${sdkSecretKey}`
  let number = 0

  async function post<T>(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    method = 'POST',
  ): Promise<T> {
    const init = { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
    return (await (await fetchPatiently(edgeUrl, path, init)).json()) as T
  }

  async function ask<T>(path: string): Promise<T> {
    return (await (await fetchPatiently(edgeUrl, path, { headers: { authorization } })).json()) as T
  }

  async function publish(definition: object): Promise<string> {
    const { id } = await post<{ id: string }>('/v1/campaigns', definition, { authorization })
    await post(`/v1/campaigns/${id}/publish`, {}, { authorization })
    return id
  }

  function event(userId: string, at = 0): object {
    number += 1
    const properties = { orderId: `A-${number}`, from: 'Hamburg', items: number % 7, total: 129.5, currency: 'EUR', at }
    return { name: 'bench.tracked', userId, properties }
  }

  const tracked = (path: string, body: object): Request => ({
    bytes: prepare('POST', edgeUrl + path, { authorization }, JSON.stringify({ sdkSecretKey, ...body })),
    status: 202,
    repeatsOn: BUSY,
  })

  const tokenOf = (userId: string) => createHmac('sha256', authSecretKey).update(userId).digest('hex')

  return {
    publishCampaign: (suffix = '') => publish({ ...CAMPAIGN, key: CAMPAIGN.key + suffix }),
    publish,
    trackEvents: (events) => tracked('/v1/events/track/batch', { events }),
    trackEvent: (event) => tracked('/v1/events/track', event),
    async findCampaign() {
      const { data } = await ask<{ data: { id: string; key: string }[] }>('/v1/campaigns?limit=100')
      return data.find(({ key }) => key === CAMPAIGN.key)?.id
    },
    signIn(userId) {
      const body = { apiKey: frontApiKey, authType: 'backendToken', userId, token: tokenOf(userId) }
      return post<Session>('/v1/users/auth', body)
    },
    tag: (userId) => ({ 'api-key': frontApiKey, 'user-id': userId, token: tokenOf(userId) }),
    track: (userId, at) => tracked('/v1/events/track', event(userId, at)),
    trackBatch: (userIds) => tracked('/v1/events/track/batch', { events: userIds.map((userId) => event(userId)) }),
    readInbox: (session) => ({
      bytes: prepare('GET', `${edgeUrl}/v1/inbox/messages?limit=20`, {
        authorization: `Bearer ${session.sessionToken}`,
      }),
      status: 200,
    }),
    readCounts: ({ sessionToken, inbox }) => ({
      bytes: prepare('GET', `${edgeUrl}/v1/inbox/changes?since=${inbox.seq}&epoch=${inbox.epoch}`, {
        authorization: `Bearer ${sessionToken}`,
      }),
      status: 200,
    }),
    read: (path) => ({ bytes: prepare('GET', edgeUrl + path, { authorization }), status: 200 }),
    async subscribe(topic, add) {
      await post(`/v1/topics/${topic}/subscribers`, { add }, { authorization }, 'PUT')
    },
    trackTopic: (topic) =>
      tracked('/v1/events/track', {
        name: 'bench.tracked',
        topic,
        properties: { orderId: 'A', from: 'B', items: 1, at: 0 },
      }),
    ask,
    send: (path, body) => post(path, body, { authorization }),
    async stream(path) {
      const { body, status } = await fetch(edgeUrl + path, { headers: { authorization } })
      if (status !== 200 || body === null) throw new Error(`${path} answered ${status}`)
      return body
    },
    environmentId: id,
    sdkSecretKey,
  }
}

const PATIENCE_MS = 30_000
const ASK_AGAIN_MS = 200

/** Repeats a call while the server is busy. @throws for any other failure */
async function fetchPatiently(edgeUrl: string, path: string, init: RequestInit): Promise<Response> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const answer = await fetch(edgeUrl + path, init)
    if (answer.ok) return answer
    const text = await answer.text()
    if (!BUSY.includes(answer.status) || performance.now() > until)
      throw new Error(`${path} answered ${answer.status}: ${text}`)
    await delay(ASK_AGAIN_MS)
  }
}
