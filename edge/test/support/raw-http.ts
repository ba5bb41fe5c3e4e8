// Sends HTTP byte by byte over TCP and records the received bytes and the end of the connection.

import { connect, type Socket } from 'node:net'
import { runningNow } from './within.ts'

export interface RawConnection {
  socket: Socket
  /** All received text. */
  text(): string
  /** Statuses of the answers so far. */
  statuses(): number[]
  /** Resolves when the other side has closed, with the time since the start (ms that this process ran). */
  closed: Promise<number>
}

/** Opens a connection and sends `begin`. An error of the connection counts as its end. */
export function openRaw(url: string, begin = ''): RawConnection {
  const { hostname, port } = new URL(url)
  const from = runningNow()
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) => socket.once('close', () => resolve(runningNow() - from)))
  if (begin !== '') socket.write(begin)
  return {
    socket,
    text: () => text,
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])),
    closed,
  }
}

/** Returns the head of a request, without the empty line after it. */
export function headOf(method: string, path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}`
}
