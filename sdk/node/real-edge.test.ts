// Tests the SDK with a real server: events, batches, tokens, enrichers, and answers lost after the event is on disk.

import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AuthAnswer } from '../../contract/api.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../../edge/test/support/given.ts'
import { expressHandler, NotificationClient, NotificationRequestError } from './index.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
  await given.publish(inboxCampaign('sdk', 'sdk.tested'))
})
afterAll(() => given?.stop())

function clientAt(baseUrl: string, retryDelaysMs = [1, 1]): NotificationClient {
  const { authSecretKey, sdkSecretKey } = given.demo.environments.dev
  return new NotificationClient({ authSecretKey, sdkSecretKey, baseUrl, retryDelaysMs })
}

interface LossyLine {
  url: string
  /** Counts the requests whose answer arrived from the server, lost or not. */
  answered: number
  stop(): Promise<void>
}

/** Forwards each request and waits for the whole answer, which the first `losses` callers never get. */
async function givenLossyLine(target: string, losses: number): Promise<LossyLine> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const onward = send(target + url, { method, headers }, async (answer) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of answer) chunks.push(chunk)
      line.answered += 1
      if (line.answered <= losses) incoming.socket.resetAndDestroy()
      else outgoing.writeHead(answer.statusCode as number, answer.headers).end(Buffer.concat(chunks))
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const line: LossyLine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered: 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return line
}

async function eventsOf(userId: string): Promise<{ eventId: string }[]> {
  const key = given.demo.environments.dev.sdkSecretKey
  const answer = await given.call<{ data: { eventId: string }[] }>('GET', `/v1/events?userId=${userId}`, { key })
  return answer.body.data
}

test('an answer that is lost after the commit, twice, leaves one event and one message', async () => {
  const line = await givenLossyLine(given.url, 2)
  const answer = await clientAt(line.url).track({ name: 'sdk.tested', userId: 'u_lost' })
  expect(line.answered).toBe(3)
  expect(answer).toMatchObject({ duplicate: true, eventId: expect.stringMatching(/^evt_/) })
  expect((await eventsOf('u_lost')).map(({ eventId }) => eventId)).toEqual([answer.eventId])
  expect((await given.page(await given.signIn('u_lost'))).data).toHaveLength(1)
  await line.stop()
})

test('a batch whose answer is lost leaves each event once', async () => {
  const line = await givenLossyLine(given.url, 1)
  const event = { name: 'sdk.tested', userId: 'u_batch' }
  const { results } = await clientAt(line.url).trackBatch([event, { ...event, name: 'not a name!' }, event])
  expect(line.answered).toBe(2)
  expect(results).toEqual([
    { eventId: expect.any(String), duplicate: true },
    expect.objectContaining({ code: 'event/invalid-name', reason: 'invalid-end' }),
    { eventId: expect.any(String), duplicate: true },
  ])
  expect(await eventsOf('u_batch')).toHaveLength(2)
  await line.stop()
})

test('when every answer is lost the error is the line’s own, and the event is there once', async () => {
  const line = await givenLossyLine(given.url, 3)
  const call = clientAt(line.url).track({ name: 'sdk.tested', userId: 'u_gone' })
  await expect(call).rejects.toMatchObject({
    name: 'TypeError',
    cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR/) },
  })
  expect(line.answered).toBe(3)
  expect(await eventsOf('u_gone')).toHaveLength(1)
  await line.stop()
})

test('two calls are two events, unless they share a key', async () => {
  const client = clientAt(given.url)
  for (const idempotencyKey of [undefined, undefined, 'mine', 'mine']) {
    await client.track({ name: 'sdk.tested', userId: 'u_two', occurredAt: new Date(0), idempotencyKey })
  }
  expect(await eventsOf('u_two')).toHaveLength(3)
})

test('what the server refuses is told in its own words', async () => {
  const refusal = clientAt(given.url).track({ name: 'a..b', userId: 'u' }, { correlationId: 'sdk-test-1' })
  const error = await refusal.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(NotificationRequestError)
  expect(error).toMatchObject({ status: 400, code: 'event/invalid-name', reason: 'repeated-separator' })
  expect(error).toMatchObject({ correlationId: 'sdk-test-1' })

  const stranger = new NotificationClient({
    authSecretKey: 'a',
    sdkSecretKey: 'nc_sdk_eu_x',
    baseUrl: given.url,
    retryDelaysMs: [],
  })
  await expect(stranger.track({ name: 'a', userId: 'u' })).rejects.toMatchObject({ code: 'auth/invalid-authorization' })
  const unfit = clientAt(given.url).track({ name: 'a', userId: 'u', occurredAt: 'yesterday' })
  await expect(unfit).rejects.toMatchObject({ code: 'request/invalid-body', details: [{ path: 'occurredAt' }] })
})

test('both forms of token sign the user in, and an expired one does not', async () => {
  const client = clientAt(given.url)
  const apiKey = given.demo.environments.dev.frontApiKey
  const signIn = (token: string, userId = 'u_7') =>
    given.call<AuthAnswer>('POST', '/v1/users/auth', { body: { apiKey, authType: 'backendToken', userId, token } })
  const inAMinute = client.generateHashedToken('u_7', { expiresAt: Date.now() + 60_000 })
  for (const token of [client.generateHashedToken('u_7'), inAMinute]) expect((await signIn(token)).status).toBe(200)
  const expired = client.generateHashedToken('u_7', { expiresAt: Date.now() - 1000 })
  expect((await signIn(expired)).status).toBe(401)
  expect((await signIn(inAMinute, 'u_8')).status).toBe(401)
})

interface Trial {
  ok: boolean
  data?: unknown
  error?: { code: string; reason?: string }
}

describe('an enricher that the server calls', () => {
  let url: string
  let stop: () => Promise<void>

  /** Starts a backend with that secret and registers it at the server under that name. */
  async function register(name: string, webhookSigningSecret: string): Promise<NotificationClient> {
    const { authSecretKey, sdkSecretKey } = given.demo.environments.dev
    const client = new NotificationClient({ authSecretKey, sdkSecretKey, webhookSigningSecret, baseUrl: given.url })
    const app = express()
    app.post('/enrichers', express.json(), expressHandler(client))
    const server = createServer(app)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/enrichers`
    stop = () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    const put = await given.call('PUT', `/v1/enrichers/${name}`, { key: sdkSecretKey, body: { url } })
    expect(put.status).toBeLessThan(300)
    return client
  }

  async function tryOut(name: string, params: object): Promise<Trial> {
    const key = given.demo.environments.dev.sdkSecretKey
    return (await given.call<Trial>('POST', `/v1/enrichers/${name}/test`, { key, body: { params } })).body
  }

  afterEach(() => stop())

  test('is answered by its handler, and every kind of failure keeps its code', async () => {
    const client = await register('details', given.demo.environments.dev.webhookSigningSecret)
    expect(await tryOut('details', {})).toMatchObject({ ok: false, error: { code: 'enricher-not-found' } })
    client.enricher('details', { required: ['orderId'] }, ({ orderId }, { user }) => {
      if (orderId === 'lost') throw new Error('password of the shop database')
      return { orderId, askedFor: user.id }
    })
    expect(await tryOut('details', { orderId: 'Orléans ✓' })).toMatchObject({
      ok: true,
      data: { orderId: 'Orléans ✓', askedFor: 'test' },
    })
    expect(await tryOut('details', {})).toMatchObject({ ok: false, error: { code: 'input-invalid' } })
    const failed = await tryOut('details', { orderId: 'lost' })
    expect(failed).toMatchObject({ ok: false, error: { code: 'handler-error' } })
    expect(JSON.stringify(failed)).not.toContain('password')
  })

  test('refuses a server that signs with another secret', async () => {
    const client = await register('foreign', given.demo.environments.prod.webhookSigningSecret)
    client.enricher('foreign', {}, () => expect.unreachable('the handler of another environment'))
    const answer = await tryOut('foreign', {})
    expect(answer).toMatchObject({ ok: false, error: { code: 'hmac-invalid', reason: 'bad-signature' } })
  })
})
