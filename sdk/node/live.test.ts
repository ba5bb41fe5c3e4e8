// Tests the SDK with the suite against the real server, which all SDKs share (`sdk/live/suite.json`).

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import eventNames from '../../contract/vectors/event-names.json' with { type: 'json' }
import { createCollector } from '../../edge/test/support/leak-collector.ts'
import { type Live, type LiveTarget, startLive } from '../live/live.ts'
import suite from '../live/suite.json' with { type: 'json' }
import { fetchHandler, NotificationClient, type NotificationClientOptions } from './index.ts'
import { givenScript, type Operation, readRequests, runOperation } from './test/run-case.ts'

const RUN = 'node'
let target: LiveTarget
let live: Live | undefined

beforeAll(async () => {
  const given = process.env.NC_LIVE_TARGET
  if (given === undefined) {
    const log = createCollector('the log of the live server')
    live = await startLive((line) => log.write(line))
  }
  target = live?.target ?? JSON.parse(readFileSync(String(given), 'utf8'))
})
afterAll(() => live?.stop())

interface LiveCase {
  title: string
  answers?: unknown[]
  calls: Operation[]
  sdkSecretKey?: string
  repeatEvents?: number
  same?: number
  stored?: { userId: string; count: number }
  messages?: { userId: string; count: number }
}

/** Replaces `{run}`. Types that TypeScript finds in the JSON are narrower than the format. */
function forRun<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value).replaceAll('{run}', RUN)) as T
}

function clientAt(baseUrl: string, options: Partial<NotificationClientOptions> = {}): NotificationClient {
  const { authSecretKey, sdkSecretKey } = target.secrets
  return new NotificationClient({ authSecretKey, sdkSecretKey, baseUrl, retryDelaysMs: [1, 1], ...options })
}

async function ask<T>(method: string, path: string, credential: string | undefined, body?: unknown) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (credential !== undefined) headers.authorization = `Bearer ${credential}`
  const response = await fetch(target.url + path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as T }
}

function signIn(userId: string, token: string) {
  const body = { apiKey: target.secrets.frontApiKey, authType: 'backendToken', userId, token }
  return ask<{ sessionToken: string }>('POST', '/v1/users/auth', undefined, body)
}

async function countStored(userId: string): Promise<number> {
  const path = `/v1/events?limit=100&userId=${encodeURIComponent(userId)}`
  return (await ask<{ data: unknown[] }>('GET', path, target.secrets.sdkSecretKey)).body.data.length
}

describe('events', () => {
  test.each(forRun<LiveCase[]>(suite.cases))('$title', async (one) => {
    const script = one.answers === undefined ? undefined : await givenScript(target.scriptsUrl, one.answers)
    const { sdkSecretKey = target.secrets.sdkSecretKey } = one
    const client = clientAt(script?.url ?? target.url, { sdkSecretKey })
    const ids: unknown[] = []
    for (const operation of one.calls) {
      const events = Array.from({ length: one.repeatEvents ?? 1 }, () => operation.events ?? []).flat()
      ids.push(Object(await runOperation(client, { ...operation, events })).eventId)
      if (script === undefined || operation.expect.calls === undefined) continue
      expect(await readRequests(target.scriptsUrl, script.id)).toHaveLength(operation.expect.calls)
    }
    if (one.same !== undefined) expect(new Set(ids).size).toBe(one.same)
    if (one.stored !== undefined) expect(await countStored(one.stored.userId)).toBe(one.stored.count)
    if (one.messages === undefined) return
    const { userId, count } = one.messages
    const { sessionToken } = (await signIn(userId, client.generateHashedToken(userId))).body
    const messages = async () =>
      (await ask<{ data: unknown[] }>('GET', '/v1/inbox/messages', sessionToken)).body.data.length
    await expect.poll(messages).toBe(count)
  })

  test('names are accepted and refused as in the vectors', async () => {
    const names = [...eventNames.accepted, ...eventNames.refused]
    const events = names.map(({ text, repeat }) => ({ name: text.repeat(repeat), userId: `${RUN}-names` }))
    const { results } = await clientAt(target.url).trackBatch(events)
    const reasons = results.map((result) => (result.eventId === undefined ? result.reason : 'accepted'))
    expect(reasons).toEqual([
      ...eventNames.accepted.map(() => 'accepted'),
      ...eventNames.refused.map((one) => one.reason),
    ])
  })
})

describe('tokens', () => {
  interface TokenCase {
    title: string
    userId: string
    expiresInSeconds?: number
    signInAs?: string
    status: number
  }

  test.each(forRun<TokenCase[]>(suite.tokens))('$title', async ({ userId, expiresInSeconds, signInAs, status }) => {
    const expiresAt = expiresInSeconds === undefined ? undefined : Date.now() + expiresInSeconds * 1000
    const token = clientAt(target.url).generateHashedToken(userId, { expiresAt })
    expect((await signIn(signInAs ?? userId, token)).status).toBe(status)
  })
})

describe('enrichers', () => {
  const { schema, handlerSecret, cases } = suite.enrichers
  let stop: () => void = () => {}
  let calls = 0

  async function serve(name: string, webhookSigningSecret: string): Promise<void> {
    const client = clientAt(target.url, { webhookSigningSecret })
    const fullName = `${RUN}-${name}`
    if (name === 'details') {
      client.enricher<{ orderId: string }>(fullName, schema, ({ orderId }, { user }) => {
        if (orderId === 'lost') throw new Error(handlerSecret)
        return { orderId, askedFor: user.id }
      })
    } else if (name === 'foreign') {
      client.enricher(fullName, true, () => expect.unreachable('the handler of another environment'))
    }
    const answer = fetchHandler(client)
    const server = createServer(async (request, response) => {
      calls += 1
      const chunks: Uint8Array[] = []
      for await (const chunk of request) chunks.push(chunk)
      const headers = new Headers(Object.entries(request.headers).map(([key, value]) => [key, String(value)]))
      const init = { method: 'POST', headers, body: Buffer.concat(chunks) }
      const answered = await answer(new Request(`http://localhost${request.url}`, init))
      response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    stop = () => {
      server.close()
      server.closeAllConnections()
    }
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/enrichers`
    const put = await ask('PUT', `/v1/enrichers/${fullName}`, target.secrets.sdkSecretKey, { url })
    expect(put.status).toBeLessThan(300)
  }

  test.each(cases)('$title', async ({ name, params, expect: expected }) => {
    const { foreignSigningSecret, secrets } = target
    await serve(name, name === 'foreign' ? foreignSigningSecret : secrets.webhookSigningSecret)
    const before = calls
    const answer = await ask('POST', `/v1/enrichers/${RUN}-${name}/test`, secrets.sdkSecretKey, { params })
    stop()
    expect(answer.body).toMatchObject(expected)
    expect(JSON.stringify(answer.body)).not.toContain(handlerSecret)
    expect(calls).toBeGreaterThan(before)
  })
})
