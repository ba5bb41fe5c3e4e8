// Sends HTTP/1.1 over one keep-alive connection at minimal cost, because on two cores a full client would dominate the figures.

import { connect } from 'node:net'

export interface Connection {
  /** Sends one prepared request at a time. @returns the status */
  send(request: Buffer): Promise<number>
  /** Reopens the connection, because servers close idle ones. */
  isClosed(): boolean
  close(): void
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const END_OF_CHUNKS = Buffer.from('0\r\n\r\n')

/** Returns the bytes of a request. */
export function prepare(method: string, url: string, headers: Record<string, string>, body = ''): Buffer {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  const length = body === '' ? [] : [`content-type: application/json`, `content-length: ${Buffer.byteLength(body)}`]
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${[...lines, ...length].join('\r\n')}\r\n\r\n${body}`)
}

export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let waiting: { resolve(status: number): void; reject(error: Error): void } | undefined
  let seen: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk])
    if (!isWhole(seen)) return
    const status = Number(seen.toString('latin1', 9, 12))
    seen = Buffer.alloc(0)
    const { resolve } = waiting ?? {}
    waiting = undefined
    resolve?.(status)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the connection was closed')))
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) throw new Error('the connection was closed while it was idle')
        waiting = { resolve, reject }
        socket.write(request)
      }),
    isClosed: () => socket.destroyed,
    close: () => socket.destroy(),
  }
}

function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf(END_OF_HEAD)
  if (end === -1) return false
  const head = bytes.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return bytes.length >= end + 4 + Number(length)
  return bytes.subarray(-END_OF_CHUNKS.length).equals(END_OF_CHUNKS)
}
