// A small balancer for one machine: HTTP/1.1 and WebSocket upgrades to targets that are ready, and never the same request twice (docs/operations.md).

import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Carrier, createCarrier } from './carry.ts'
import { forwardedBy } from './forwarded.ts'
import { createReadiness, type Probe, type Readiness, type Target, type TargetState } from './readiness.ts'
import { connectTo, headOf, join } from './tunnel.ts'

export interface ProxyOptions {
  host: string
  /** 0 takes a free one. */
  port: number
  /** Asked before each round of probes, so that targets may come and go. */
  targets(): Target[]
  probe: Probe
  /** How long a new request is held while no target is ready, before it is answered 503; default 10,000 ms. */
  holdMs?: number
}

export interface RunningProxy {
  /** Where it listens, without a trailing slash. */
  url: string
  /** How many targets new work is sent to now. */
  ready(): number
  close(): Promise<void>
}

const HOLD_MS = 10_000
/** More requests than this are not held; the others get their 503 at once. */
const MAX_HELD = 2000
/** Below the 65 s of the edge: the proxy gives an idle connection up first, so that no request meets a closed one. */
const IDLE_TARGET_MS = 30_000
const SERVER = {
  // Above what clients keep.
  keepAliveTimeout: 75_000,
  headersTimeout: 5000,
  connectionsCheckingInterval: 1000,
  // More than the edge takes: it has the better answers.
  maxHeaderSize: 64 * 1024,
  requireHostHeader: false,
}

/** Listens; throws when the port is taken. */
export async function createProxy(options: ProxyOptions): Promise<RunningProxy> {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_TARGET_MS, noDelay: true })
  const readiness = createReadiness({ ...options, onDown: (target) => dropIdle(agent, target) })
  const carrier = createCarrier({ agent, onRefused: readiness.markDown })
  const choose = createChoice(readiness, options.holdMs ?? HOLD_MS)
  const server = createServer(SERVER, (request, response) => void forward({ choose, carrier }, request, response))
  const clients = track(server)
  server.on('upgrade', (request, client, head) => void upgrade({ choose, readiness }, request, client, head))
  server.listen(options.port, options.host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${options.host}:${port}`,
    ready: () => readiness.list().length,
    async close() {
      readiness.close()
      const closed = once(server, 'close')
      server.close()
      for (const client of clients) client.destroy()
      agent.destroy()
      await closed
    },
  }
}

/** Its connections, upgraded ones too: node forgets those. */
function track(server: Server): Set<Duplex> {
  const clients = new Set<Duplex>()
  server.on('connection', (socket: Socket) => {
    clients.add(socket)
    socket.on('close', () => clients.delete(socket))
  })
  return clients
}

type Choose = (load: 'requests' | 'sockets', isGone: () => boolean) => Promise<TargetState | undefined>

/** The ready target with the least to do, in turns among equals; waits a while for one when there is none. */
function createChoice(readiness: Readiness, holdMs: number): Choose {
  let turn = 0
  let held = 0
  return async (load, isGone) => {
    const until = performance.now() + holdMs
    while (!isGone()) {
      const ready = readiness.list()
      const least = Math.min(...ready.map((target) => target[load]))
      const idlest = ready.filter((target) => target[load] === least)
      if (idlest.length > 0) return idlest[turn++ % idlest.length]
      const leftMs = until - performance.now()
      if (leftMs <= 0 || held >= MAX_HELD) return undefined
      held += 1
      await readiness.wait(leftMs)
      held -= 1
    }
    return undefined
  }
}

/** Tries targets until one accepts the connection; what was begun is never begun again. */
async function forward(
  { choose, carrier }: { choose: Choose; carrier: Carrier },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isGone = () => response.destroyed
  for (;;) {
    const target = await choose('requests', isGone)
    if (isGone()) return
    if (target === undefined) return carrier.refuse(response, 503)
    target.requests += 1
    try {
      if ((await carrier.carry(request, response, target)) === 'done') return
    } finally {
      target.requests -= 1
    }
  }
}

async function upgrade(
  { choose, readiness }: { choose: Choose; readiness: Readiness },
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): Promise<void> {
  client.on('error', () => client.destroy())
  for (;;) {
    const target = await choose('sockets', () => client.destroyed)
    if (target === undefined) {
      client.end('HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      return
    }
    target.sockets += 1
    try {
      const socket = await connectTo(target)
      if (socket === undefined) {
        readiness.markDown(target)
        continue
      }
      socket.write(headOf(request, forwardedBy(request)))
      if (head.length > 0) socket.write(head)
      return await join(client, socket)
    } finally {
      target.sockets -= 1
    }
  }
}

function dropIdle(agent: Agent, { host, port }: Target): void {
  for (const socket of agent.freeSockets[agent.getName({ host, port })] ?? []) socket.destroy()
}
