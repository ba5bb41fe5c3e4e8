// Provides a client, the service's side of an enricher call, and a server with scripted answers for tests.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { NotificationClient, type NotificationClientOptions } from '../index.ts'

export const SECRETS = {
  authSecretKey: 'nc_auth_eu_test-0123456789abcdefghij',
  sdkSecretKey: 'nc_sdk_eu_test-0123456789abcdefghij',
  webhookSigningSecret: `whsec_${Buffer.from('a signing secret of a test').toString('base64')}`,
}

export function givenClient(options: Partial<NotificationClientOptions> = {}): NotificationClient {
  return new NotificationClient({ baseUrl: 'http://127.0.0.1:3000', ...SECRETS, ...options })
}

/** Signs a call like the service, with the reference implementation of Standard Webhooks. */
export function signedCall(name: string, params: unknown, { sentAt = new Date(), id = 'enr_1' } = {}) {
  const user = { id: 'u_42' }
  const payload = JSON.stringify({ id, name, params, user, event: { name: 'order.shipped', properties: {} } })
  const signature = new Webhook(SECRETS.webhookSigningSecret).sign(id, sentAt, payload)
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  return { name, payload, params, headers }
}

export interface GivenServer {
  url: string
  /** The received bodies in their order. */
  bodies: string[]
  heads: IncomingMessage[]
  stop(): Promise<void>
}

type Answer = (response: ServerResponse, call: number) => void

/** Starts a server; `answer` gets the number of the call, from 0. */
export async function givenServer(answer: Answer): Promise<GivenServer> {
  const bodies: string[] = []
  const heads: IncomingMessage[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    heads.push(request)
    answer(response, bodies.length - 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    heads,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-correlation-id': 'req-1' })
  response.end(JSON.stringify(body))
}
