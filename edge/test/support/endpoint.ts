// Runs a customer's endpoint: a real HTTPS server on this machine with a public name. Only its address is redirected.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, isIP, type LookupFunction, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConnector } from 'undici'
import type { Dial } from '../../lib/outbound/guarded-connector.ts'
import type { GuardedFetchDeps } from '../../lib/outbound/guarded-fetch.ts'
import type { Resolve } from '../../lib/outbound/resolve.ts'

/** One received request. */
export interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  /** Body as received. */
  text: string
  body: { name: string; payload: string; params: Record<string, unknown>; headers: Record<string, string> }
}

export interface Endpoint {
  /** URL with a name that resolves to a public address, or on loopback without TLS. */
  url: string
  /** Received requests in order. */
  requests: ReceivedRequest[]
  /** Handles each request; by default it echoes the parameters. `answer` sends JSON. */
  handle: (request: IncomingMessage, response: ServerResponse, received: ReceivedRequest) => void
  /** Resets the connection of a request; under TLS the request's own socket cannot. */
  reset(request: IncomingMessage): void
  close(): Promise<void>
}

export const PUBLIC_ADDRESS = '93.184.215.14'
export const HOST = 'customer.example'

/** Answers JSON with its length. */
export function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

/** Starts a server without TLS on loopback, for edges that may reach it. */
export async function startPlainEndpoint(): Promise<Endpoint> {
  return startEndpoint((listener) => createServer(listener), 'http://127.0.0.1')
}

export interface PublicEndpoint extends Endpoint {
  /** Resolver and dialler for an edge or a fetch. */
  outbound: Required<Pick<GuardedFetchDeps, 'resolve' | 'dial'>>
  /** Addresses that customers' names resolve to; called once per connection. */
  addressesOf: (hostname: string) => string[]
  /** Number of dialled connections. */
  dialled(): number
}

/** Starts a server with a certificate for `customer.example` and `*.customer.example` that its connector trusts. */
export async function startPublicEndpoint(): Promise<PublicEndpoint> {
  const certificate = makeCertificate()
  const endpoint = await startEndpoint((listener) => createTlsServer(certificate, listener), `https://${HOST}`)
  let dials = 0
  const self: PublicEndpoint = Object.assign(endpoint, {
    addressesOf: () => [PUBLIC_ADDRESS],
    dialled: () => dials,
    outbound: {
      resolve: (hostname: string, _options: object, callback: Parameters<Resolve>[2]) => {
        const addresses = self.addressesOf(hostname)
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        )
      },
      dial: dialLoopback(certificate.cert, () => dials++),
    },
  })
  return self
}

/** Checks addresses with the real guard, then connects to this machine; the socket reports the permitted address. */
function dialLoopback(ca: string, onDial: () => void): Dial {
  return (options) => {
    const { lookup, ...rest } = options as buildConnector.BuildOptions & { lookup: LookupFunction }
    const connect = buildConnector({ ...rest, ca })
    return (target, callback) => {
      const open = (address: string) => {
        onDial()
        const servername = target.servername ?? target.hostname
        connect({ ...target, hostname: '127.0.0.1', host: '127.0.0.1', servername }, (error, socket) => {
          if (error !== null) return callback(error, null)
          Object.defineProperty(socket, 'remoteAddress', { value: address })
          callback(null, socket)
        })
      }
      if (isIP(target.hostname) !== 0) return open(target.hostname)
      lookup(target.hostname, { all: true }, (error, addresses) => {
        if (error !== null) return callback(error, null)
        const [first] = addresses as { address: string }[]
        open(first?.address ?? '')
      })
    }
  }
}

interface Listening {
  listen(port: number, host: string, then: () => void): unknown
  address(): AddressInfo | string | null
  on(event: 'connection', listener: (socket: Socket) => void): unknown
  close(then: () => void): unknown
}

async function startEndpoint(create: (listener: RequestListener) => Listening, origin: string): Promise<Endpoint> {
  const sockets = new Set<Socket>()
  const endpoint: Endpoint = {
    url: '',
    requests: [],
    handle: (_request, response, { body }) => answer(response, 200, { ok: true, data: { echo: body.params } }),
    reset({ socket: { remotePort } }) {
      for (const socket of sockets) if (socket.remotePort === remotePort) socket.resetAndDestroy()
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(resolve)
      }),
  }
  const server = create(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const received = {
      path: request.url ?? '',
      headers: request.headers,
      text,
      body: JSON.parse(text) as ReceivedRequest['body'],
    }
    endpoint.requests.push(received)
    endpoint.handle(request, response, received)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint.url = `${origin}:${(server.address() as AddressInfo).port}/enrich`
  return endpoint
}

export function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'nc-endpoint-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = `subjectAltName=DNS:${HOST},DNS:*.${HOST}`
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const args = ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-subj', `/CN=${HOST}`, '-addext', names]
  execFileSync('openssl', args, { stdio: 'ignore' })
  const certificate = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true, force: true })
  return certificate
}
