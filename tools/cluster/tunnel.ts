// The proxy's upgrades: one connection to a target for one of a client, byte for byte (RFC 9110 section 7.8).

import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Target } from './readiness.ts'

/** How long a target may take to accept (ms). */
const CONNECT_TIMEOUT_MS = 2000

/** Connected, or undefined when the target certainly has nothing of it. */
export function connectTo({ host, port }: Target): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true })
    const giveUp = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(undefined)
    }
    const timer = setTimeout(giveUp, CONNECT_TIMEOUT_MS)
    socket.once('error', giveUp)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', giveUp)
      resolve(socket)
    })
  })
}

/** The request as it came, with the client's address added. */
export function headOf(request: IncomingMessage, forwarded: [string, string][]): string {
  const lines = [`${request.method} ${request.url} HTTP/1.1`]
  const replaced = new Set(forwarded.map(([name]) => name))
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] as string
    if (!replaced.has(name.toLowerCase())) lines.push(`${name}: ${request.rawHeaders[at + 1]}`)
  }
  for (const [name, value] of forwarded) lines.push(`${name}: ${value}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Joins the two until either ends; then the other ends too. Resolves when both are gone. */
export function join(client: Duplex, target: Socket): Promise<void> {
  return new Promise((resolve) => {
    let open = 2
    const end = (other: Duplex) => () => {
      // What is under way goes out first.
      other.end()
      open -= 1
      if (open === 0) resolve()
      else setTimeout(() => other.destroy(), LINGER_MS).unref()
    }
    client.on('error', () => client.destroy()).on('close', end(target))
    target.on('error', () => target.destroy()).on('close', end(client))
    client.pipe(target)
    target.pipe(client)
  })
}

/** A side that does not close is closed after this. */
const LINGER_MS = 1000
