// A TCP connection that speaks HTTP byte by byte as a test says, and notes what comes back and when it ends.

import { connect, type Socket } from 'node:net'
import { runningNow } from './within.ts'

export interface RawConnection {
  socket: Socket
  /** All that came. */
  text(): string
  /** Statuses of the answers so far. */
  statuses(): number[]
  /** Resolves when the other side has closed: after how long (ms that this process ran), counted from the start. */
  closed: Promise<number>
}

/** Comes at once; an error of the connection counts as its end. */
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

/** The head of a request, without the empty line behind it. */
export function headOf(method: string, path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}`
}
