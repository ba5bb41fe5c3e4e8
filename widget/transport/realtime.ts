// The realtime connection: Socket.IO 5 over one WebSocket, written out, as the service speaks no more of it.

import type { InboxChanges } from '../../contract/api.ts'
import type { HandshakeAuth, InboxFrame, RenewAnswer } from '../../contract/frames.ts'
import { PACKET, type Packet, parsePacket } from './packet.ts'

export interface RealtimeOptions {
  url: string
  path: string
  /** Asked at the handshake. */
  auth: () => HandshakeAuth
  onUp: () => void
  /** It is gone, or was not to be had; `code` when the service refused it. Nothing reconnects by itself. */
  onDown: (code: string | undefined) => void
  onFrame: (frame: InboxFrame) => void
  /** The session ends in 60 s. */
  onExpiring: () => void
}

/** One connection, from its attempt to its end. */
export interface Realtime {
  /** All changes since; rejects when no answer comes in time (3 s when not given). */
  sync(since: number, answerMs?: number): Promise<InboxChanges>
  /** Shows the new session to the socket, so that it stays. */
  renew(token: string): Promise<RenewAnswer>
  close(): void
}

export type OpenRealtime = typeof openRealtime

const CONNECT_MS = 10_000
const ANSWER_MS = 3_000
/** Of the line below Socket.IO. */
const [OPEN, PING, PONG, MESSAGE] = ['0', '2', '3', '4'] as const

/** Connects at once. After `onDown` this one is spent. */
export function openRealtime({ url, path, ...options }: RealtimeOptions): Realtime {
  const { protocol, host, hostname } = new URL(url)
  const scheme = /^(https|wss):/.test(protocol) ? 'wss' : 'ws'
  const line = new WebSocket(`${scheme}://${host}${path.replace(/\/$/, '')}/?EIO=4&transport=websocket`)
  const answers = new Map<number, (data: unknown) => void>()
  let lastId = 0
  let isOver = false
  /** Without a ping for this long the line is dead, ms. */
  let silenceMs = CONNECT_MS
  let timer: ReturnType<typeof setTimeout>

  const end = (code?: string, tells = true): void => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    globalThis.removeEventListener?.('offline', whenLost)
    line.close()
    if (tells) options.onDown(code)
  }
  const whenLost = (): void => end()
  const watch = (): void => {
    clearTimeout(timer)
    timer = setTimeout(whenLost, silenceMs)
  }
  const send = (text: string): void => {
    if (line.readyState === 1) line.send(text)
  }

  const hear = ({ type, id, data }: Packet): void => {
    if (type === PACKET.connect) {
      watch()
      options.onUp()
    } else if (type === PACKET.disconnect) end()
    else if (type === PACKET.refusal) end((data as { data?: { code?: string } }).data?.code)
    else {
      const [first, second] = data as unknown[]
      if (type === PACKET.ack) answers.get(id ?? 0)?.(first)
      else if (first === 'inbox') options.onFrame(second as InboxFrame)
      else if (first === 'session:expiring') options.onExpiring()
    }
  }
  const greet = ({ pingInterval, pingTimeout }: Record<string, number>): void => {
    silenceMs = (pingInterval ?? 0) + (pingTimeout ?? 0)
    send(MESSAGE + PACKET.connect + JSON.stringify(options.auth()))
  }
  const pong = (): void => {
    send(PONG)
    watch()
  }
  const read = (type: string | undefined, rest: string): (() => void) => {
    if (type === MESSAGE) {
      const packet = parsePacket(rest)
      return () => hear(packet)
    }
    if (type === OPEN) {
      const handshake: Record<string, number> = JSON.parse(rest)
      return () => greet(handshake)
    }
    // Anything else is the server's farewell, or none of this protocol.
    return type === PING ? pong : whenLost
  }
  line.onclose = line.onerror = whenLost
  line.onmessage = ({ data }) => {
    if (isOver) return
    let act = whenLost
    try {
      act = read(String(data)[0], String(data).slice(1))
    } catch {
      // What is no packet ends the line.
    }
    act()
  }
  watch()
  // A page of this very machine needs no network.
  if (hostname !== 'localhost') globalThis.addEventListener?.('offline', whenLost)

  const ask = <T>(name: string, request: object, answerMs = ANSWER_MS): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      const late = setTimeout(() => {
        answers.delete(id)
        reject(new Error(name))
      }, answerMs)
      answers.set(id, (data) => {
        clearTimeout(late)
        answers.delete(id)
        resolve(data as T)
      })
      send(MESSAGE + PACKET.event + id + JSON.stringify([name, request]))
    })
  return {
    sync: (since, answerMs) => ask('sync', { since }, answerMs),
    renew: (token) => ask('session:renew', { token }),
    close: () => end(undefined, false),
  }
}
