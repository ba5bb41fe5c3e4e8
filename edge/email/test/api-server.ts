// Runs a provider's API: a real HTTP server on this machine that keeps what it receives and answers as a test wants.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedCall {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface ApiServer {
  url: string
  calls: ReceivedCall[]
  handle: (call: ReceivedCall, response: ServerResponse) => void
  close(): Promise<void>
}

export async function startApiServer(): Promise<ApiServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    const call = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') }
    self.calls.push(call)
    self.handle(call, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const self: ApiServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    handle: (_call, response) => response.end(),
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return self
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
