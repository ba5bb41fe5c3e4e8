// Runs an HTTP server on this machine in the place of a provider's API, and a guarded client that may call it.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OutgoingMail, WebhookCall } from '../../domain/mail/mail-provider.ts'
import { createGuardedFetch, type GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'

/** What follows the text instead of the end of the body: the end of the connection, the text again and again, or nothing. */
export type BodyEnd = 'cut' | 'repeat' | 'hang'

export interface GivenProviderApi {
  url: string
  fetch: GuardedFetch['fetch']
  calls: { method: string; path: string; headers: IncomingHttpHeaders; body: string }[]
  /** After the request was read: `cut` ends the connection, `hang` keeps it. */
  answer: { status: number; text: string; headers?: Record<string, string>; then?: BodyEnd } | 'cut' | 'hang'
  stop(): Promise<void>
}

export async function givenProviderApi(): Promise<GivenProviderApi> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url: path = '', headers } = request
    given.calls.push({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') })
    if (given.answer === 'cut') request.socket.destroy()
    else if (given.answer !== 'hang') {
      const { status, headers: head, text, then } = given.answer
      response.writeHead(status, head)
      if (then === undefined) response.end(text)
      else {
        response.write(text || ' ', () => then === 'cut' && request.socket.destroy())
        if (then === 'repeat') writeForever(response, text || ' ')
      }
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const guarded = createGuardedFetch({ allow: ['127.0.0.0/8'] })
  const given: GivenProviderApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetch: guarded.fetch,
    calls: [],
    answer: { status: 200, text: '{}' },
    async stop() {
      await guarded.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return given
}

function writeForever(response: ServerResponse, text: string): void {
  const lines = text.repeat(1000)
  function write(): void {
    while (!response.destroyed && response.write(lines));
  }
  response.on('drain', write)
  write()
}

export const MAIL: OutgoingMail = {
  messageId: 'msg_1',
  idempotencyKey: 'key-1',
  from: { name: 'Shop "Ä", Ltd', address: 'shop@example.com' },
  to: { name: null, address: 'ada@example.org' },
  replyTo: 'help@example.com',
  subject: 'Grüße',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: { 'List-Unsubscribe': '<https://example.com/u>' },
  tracking: { opens: true, clicks: false },
}

export const NOW = Date.UTC(2026, 0, 2)

/** A call of a webhook with this body. */
export function callOf(body: unknown, contentType = 'application/json'): WebhookCall {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { headers: {}, body: Buffer.from(text), contentType, now: NOW }
}
