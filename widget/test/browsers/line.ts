// The line between the browsers and the service, which a test can cut and mend: what a lost network is to a page.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Line {
  url: string
  lead(url: string): void
  /** Ends what is open, and refuses what is new. */
  cut(): void
  mend(): void
  /** From now on it is a proxy that knows no WebSocket. */
  refuseUpgrades(): void
  /** What begins like this still reaches the service, and its answer nobody. */
  loseAnswersTo(request: string): void
  /** The first lines of all requests so far, as they went over it: `GET /path HTTP/1.1`. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

const REFUSAL = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

const REQUEST = /^[A-Z]+ \S+ HTTP\/1\.1$/gm

/** A service may need to know the line before it is started: `lead` says later where it leads. */
export async function openLine(): Promise<Line> {
  let service = new URL('http://127.0.0.1')
  const sockets = new Set<Socket>()
  let isCut = false
  let refusesUpgrades = false
  let lost: string | undefined
  const requests: string[] = []
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  const server = createServer((client) => {
    keep(client)
    if (isCut) return void client.resetAndDestroy()
    const onward = connect(Number(service.port), service.hostname)
    keep(onward)
    let isDeaf = false
    client.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      if (refusesUpgrades && /^upgrade: websocket/im.test(text)) return void client.end(REFUSAL)
      requests.push(...(text.match(REQUEST) ?? []))
      if (lost !== undefined && text.startsWith(lost)) isDeaf = true
      onward.write(chunk)
    })
    onward.on('data', (chunk) => isDeaf || client.write(chunk))
    client.on('close', () => onward.destroy())
    onward.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    lead: (url) => {
      service = new URL(url)
    },
    cut: () => {
      isCut = true
      drop()
    },
    mend: () => {
      isCut = refusesUpgrades = false
      lost = undefined
    },
    refuseUpgrades: () => {
      refusesUpgrades = true
    },
    loseAnswersTo: (request) => {
      lost = request
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      drop()
      await closed
    },
  }
}
