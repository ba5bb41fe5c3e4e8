// Sends requests at a fixed rate whatever the server does, over reconnecting connections, and counts the answers.

import { connect, type Socket } from 'node:net'

export interface Answered {
  status: number
  /** Milliseconds from the first byte sent to the whole answer. */
  tookMs: number
  /** Number of events that the answer confirms as stored. */
  stored: number
  /** True for a refusal without `Retry-After`. */
  isMute: boolean
}

export interface FloodOptions {
  url: string
  perSecond: number
  forMs: number
  connections: number
  next(): Buffer
  onAnswer(answer: Answered): void
  /** Reports a connection that ended without an answer. */
  onBroken(): void
}

/**
 * Sends at a fixed rate. A request without a free connection is dropped, not delayed. @returns how many requests were
 * due
 */
export async function flood(options: FloodOptions): Promise<number> {
  const { url, perSecond, forMs, connections, next } = options
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(url, options)))
  const free = [...lines]
  const pending = new Set<Promise<void>>()
  const begun = performance.now()
  let due = 0
  let offered = 0
  for (let now = 0; now < forMs; now = performance.now() - begun) {
    due = Math.floor((now * perSecond) / 1000)
    for (; offered < due; offered += 1) {
      const line = free.shift()
      if (line === undefined) {
        offered = due
        break
      }
      const sent: Promise<void> = line.send(next()).then(() => {
        free.push(line)
        pending.delete(sent)
      })
      pending.add(sent)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(pending)
  for (const line of lines) line.close()
  return offered
}

interface Line {
  /** Sends a request. Resolves when it is answered or its connection is broken. */
  send(request: Buffer): Promise<void>
  close(): void
}

async function openLine(url: string, { onAnswer, onBroken }: FloodOptions): Promise<Line> {
  let socket = await open(url)
  return {
    async send(request) {
      // The server closes the connection with some of its refusals.
      if (socket.destroyed || !socket.writable) socket = await open(url)
      const from = performance.now()
      const text = await exchange(socket, request)
      const status = Number(text.slice(9, 12))
      if (Number.isNaN(status) || status === 0) return onBroken()
      const isMute = status >= 400 && !/\r\nretry-after: [1-9]/i.test(text)
      onAnswer({ status, tookMs: performance.now() - from, stored: text.split('"eventId"').length - 1, isMute })
      if (/\r\nconnection: close\r\n/i.test(text)) socket.destroy()
    },
    close: () => socket.destroy(),
  }
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()))
  return socket
}

/** Resolves to the whole answer, or to the part that arrived before the end. */
function exchange(socket: Socket, request: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const settle = () => {
      socket.off('data', onData).off('close', settle)
      resolve(text)
    }
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (isWhole(text)) settle()
    }
    socket.on('data', onData).on('close', settle)
    if (socket.destroyed) settle()
    else socket.write(request)
  })
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1]
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length)
}
