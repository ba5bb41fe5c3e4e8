// Runs the HTTP APIs of all providers of mail, and Amazon SNS, on this machine.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Dial } from '../../lib/outbound/guarded-connector.ts'
import type { GuardedFetchDeps } from '../../lib/outbound/guarded-fetch.ts'
import { PUBLIC_ADDRESS } from './endpoint.ts'
import { PROVIDER_EVENTS, type ProviderEvents, SNS_CERTIFICATE, SNS_HOST } from './provider-events.ts'

export interface GivenMailApi {
  /** Settings and options of an edge that may call it. */
  env: { OUTBOUND_ALLOW: string }
  outbound: Pick<GuardedFetchDeps, 'dial'>
  /** The provider's credentials, with the address of its API here. */
  credentialsOf(written: ProviderEvents): Record<string, string>
  /** Calls of the APIs, in order. */
  calls: { provider: string; headers: IncomingHttpHeaders; body: string }[]
  /** Answers each call; null: takes the mail as its provider does. */
  answer: { status: number; text: string; headers?: Record<string, string> } | null
  /** Paths of Amazon SNS that were called to confirm a subscription. */
  confirmed: string[]
  stop(): Promise<void>
}

export async function givenMailApi(): Promise<GivenMailApi> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { url = '', headers } = request
    if (SNS_HOST.endsWith(`//${headers.host}`)) {
      if (url.endsWith('.pem')) response.end(SNS_CERTIFICATE)
      else {
        api.confirmed.push(url)
        response.writeHead(url.includes('refused') ? 500 : 200).end()
      }
      return
    }
    const provider = url.split('/')[1] ?? ''
    api.calls.push({ provider, headers, body: Buffer.concat(chunks).toString('utf8') })
    const {
      status,
      text,
      headers: added,
    } = api.answer ?? {
      status: 200,
      text: PROVIDER_EVENTS.find((one) => one.provider === provider)?.accepts ?? '',
      headers: { 'x-message-id': 'kfGvnBJcSZ6qjGTSUyN5Mw' },
    }
    response.writeHead(status, added).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const api: GivenMailApi = {
    env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
    outbound: { dial: dialTo(port) },
    credentialsOf: ({ provider, credentials }) => ({ ...credentials, baseUrl: `http://127.0.0.1:${port}/${provider}` }),
    calls: [],
    answer: null,
    confirmed: [],
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return api
}

/** Dials this machine, and Amazon SNS on it as if it had a public address. Other hosts cannot be reached. */
function dialTo(port: number): Dial {
  return () => (target, callback) => {
    const isSns = SNS_HOST.endsWith(`//${target.hostname}`)
    if (!isSns && target.hostname !== '127.0.0.1') return callback(new Error('not dialled in tests'), null)
    const socket = connect(isSns ? port : Number(target.port), '127.0.0.1')
    socket.once('error', (error) => callback(error, null))
    socket.once('connect', () => {
      if (isSns) Object.defineProperty(socket, 'remoteAddress', { value: PUBLIC_ADDRESS })
      callback(null, socket)
    })
  }
}
