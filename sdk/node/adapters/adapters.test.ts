// Tests the adapters with the real frameworks: Hono and bare Request, Express with every parser, Fastify with its own
// and others.

import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expressHandler, fastifyHandler, fetchHandler, type NotificationClient } from '../index.ts'
import { givenClient, signedCall } from '../test/given.ts'

let close: (() => Promise<unknown>) | undefined
afterEach(async () => {
  await close?.()
  close = undefined
})

const schema = { type: 'object', required: ['orderId'] }

function given(): NotificationClient {
  return givenClient()
    .enricher('details', schema, (params) => params)
    .enricher('broken', {}, () => Promise.reject(new Error('no')))
}

const FRAMEWORKS: [string, (client: NotificationClient) => Promise<string>][] = [
  [
    'a bare Request',
    async (client) =>
      listen(
        createServer(async (request, response) => {
          const chunks: Uint8Array[] = []
          for await (const chunk of request) chunks.push(chunk)
          const { method = 'GET', headers } = request
          const body = method === 'GET' ? null : Buffer.concat(chunks)
          const url = `http://localhost${request.url}`
          const answer = await fetchHandler(client)(
            new Request(url, { method, headers: headers as Record<string, string>, body }),
          )
          response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
        }),
      ),
  ],
  [
    'Hono',
    async (client) => {
      const app = new Hono()
      const answer = fetchHandler(client)
      app.all('/enrichers', (c) => answer(c.req.raw))
      const { serve } = await import('@hono/node-server')
      const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
        const started = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(started))
      })
      return addressOf(server as ReturnType<typeof createServer>)
    },
  ],
  ['Express without a parser', (client) => onExpress(client)],
  ['Express with express.json()', (client) => onExpress(client, express.json())],
  ['Express with express.raw()', (client) => onExpress(client, express.raw({ type: () => true }))],
  ['Express with express.text()', (client) => onExpress(client, express.text({ type: () => true }))],
  ['Fastify', (client) => onFastify(client)],
  ['Fastify with bytes', (client) => onFastify(client, 'buffer')],
  ['Fastify with text', (client) => onFastify(client, 'string')],
]

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return addressOf(server)
}

function addressOf(server: ReturnType<typeof createServer>): string {
  close = () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function onExpress(client: NotificationClient, parser?: express.RequestHandler): Promise<string> {
  const app = express()
  if (parser !== undefined) app.use(parser)
  app.post('/enrichers', expressHandler(client))
  return listen(createServer(app))
}

async function onFastify(client: NotificationClient, parseAs?: 'buffer' | 'string'): Promise<string> {
  const app = fastify()
  if (parseAs !== undefined) {
    app.removeContentTypeParser('application/json')
    app.addContentTypeParser('application/json', { parseAs }, (_request, body, done) => done(null, body))
  }
  app.post('/enrichers', fastifyHandler(client))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  close = () => app.close()
  return url
}

describe.each(FRAMEWORKS)('%s', (_, start) => {
  let url: string
  beforeEach(async () => {
    url = await start(given())
  })

  async function post(name: string, body: unknown, headers: Record<string, string> = {}) {
    const all = { 'content-type': 'application/json', ...headers }
    const response = await fetch(`${url}/enrichers?name=${name}`, {
      method: 'POST',
      headers: all,
      body: JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  test('a call is answered, by its real headers', async () => {
    const { headers, ...body } = signedCall('details', { orderId: 'Orléans ✓' })
    const answer = await post('details', body, headers)
    expect(answer.body).toEqual({
      ok: true,
      data: { orderId: 'Orléans ✓' },
      name: 'details',
      durationMs: expect.any(Number),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('the statuses are those of the codes', async () => {
    const calls = [
      [await post('details', signedCall('details', {})), 400, 'input-invalid'],
      [await post('details', {}), 401, 'hmac-invalid'],
      [await post('other', signedCall('details', { orderId: 'A' })), 401, 'hmac-invalid'],
      [await post('nobody', signedCall('nobody', {})), 404, 'enricher-not-found'],
      [await post('broken', signedCall('broken', {})), 500, 'handler-error'],
    ] as const
    for (const [answer, status, code] of calls) {
      expect(answer.status).toBe(status)
      expect(answer.body.error.code).toBe(code)
    }
  })
})

describe('what is no call', () => {
  test('another method, a body too long and one that breaks off are answered by the Fetch door', async () => {
    const answer = fetchHandler(given())
    expect((await answer(new Request('http://localhost/'))).status).toBe(405)
    const long = new Request('http://localhost/', { method: 'POST', body: 'x'.repeat(4 * 1024 * 1024 + 1) })
    expect((await answer(long)).status).toBe(413)
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    const request = { method: 'POST', body: broken, headers: new Headers(), url: 'http://localhost/' } as Request
    expect((await answer(request)).status).toBe(401)
  })

  test('a body too long is answered by the Express door, when nothing before it reads', async () => {
    const url = `${await onExpress(given())}/enrichers`
    const response = await fetch(url, { method: 'POST', body: 'x'.repeat(4 * 1024 * 1024 + 1) })
    expect(response.status).toBe(413)
  })
})

test.each([
  ['Fetch', async (client: NotificationClient) => FRAMEWORKS[1]?.[1](client)],
  ['Express', async (client: NotificationClient) => onExpress(client, express.json())],
])('%s tells the handler when the service has given up', async (_, start) => {
  let seen: (aborted: boolean) => void
  const aborted = new Promise<boolean>((resolve) => {
    seen = resolve
  })
  const client = givenClient()
  const url = new URL((await start(client)) as string)
  const body = JSON.stringify(signedCall('slow', {}))
  const socket = connect(Number(url.port), url.hostname)
  client.enricher('slow', {}, (_params, { signal }) => {
    signal?.addEventListener('abort', () => seen(signal.aborted))
    socket.destroy()
    return aborted
  })
  const head = `POST /enrichers HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  socket.write(head + body)
  expect(await aborted).toBe(true)
})
