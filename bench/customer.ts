// What the load knows of the edge: the demo organisation's keys, one inbox campaign, and users who sign in. Public API alone.

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
  /** Creates the one campaign, an inbox message for each `bench.tracked`; answers its id. */
  publishCampaign(): Promise<string>
  /** Creates and publishes a campaign of any kind; answers its id. */
  publish(definition: object): Promise<string>
  /** A batch of events as they are given. */
  trackEvents(events: object[]): Request
  /** Its id, once it was created. */
  findCampaign(): Promise<string | undefined>
  signIn(userId: string): Promise<Session>
  /** What a page writes on the widget's tag. */
  tag(userId: string): Record<string, string>
  track(userId: string, at?: number): Request
  trackBatch(userIds: string[]): Request
  readInbox(session: Session): Request
  /** What came after the session's position: of an idle inbox the counts alone. */
  readCounts(session: Session): Request
  /** A GET with the key. */
  read(path: string): Request
  /** Adds users to a topic. */
  subscribe(topic: string, userIds: string[]): Promise<void>
  trackTopic(topic: string): Request
  /** For what is no load: the answer's JSON. Throws when it is no success. */
  ask<T>(path: string): Promise<T>
  /** The body of a long answer, as it comes. */
  stream(path: string): Promise<AsyncIterable<Uint8Array>>
  /** As the command line names it. */
  environmentId: string
}

/** Too busy to take it, or to read it in time: nothing of it was done. */
const BUSY = [408, 503]

const CAMPAIGN = {
  key: 'bench-tracked',
  name: 'Bench',
  category: 'bench',
  trigger: { event: 'bench.tracked' },
  steps: [
    {
      id: 'tell',
      type: 'inbox',
      title: 'Your order {{ event.properties.orderId }} is on its way',
      body: 'It left {{ event.properties.from }} with {{ event.properties.items }} items.',
      link: '/orders/{{ event.properties.orderId }}',
      data: { at: '{{ event.properties.at }}' },
    },
  ],
}

/** `newKey`: a tracking key in place of the demo's, after a rotation. */
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
    publishCampaign: () => publish(CAMPAIGN),
    publish,
    trackEvents: (events) => tracked('/v1/events/track/batch', { events }),
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
      tracked('/v1/events/track', { name: 'bench.tracked', topic, properties: { orderId: 'A', from: 'B', items: 1 } }),
    ask,
    async stream(path) {
      const { body, status } = await fetch(edgeUrl + path, { headers: { authorization } })
      if (status !== 200 || body === null) throw new Error(`${path} answered ${status}`)
      return body
    },
    environmentId: id,
  }
}

const PATIENCE_MS = 30_000
const ASK_AGAIN_MS = 200

/** An edge that is busy says so, and is asked again; anything else than success throws. */
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
