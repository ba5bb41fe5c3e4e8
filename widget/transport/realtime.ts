// The realtime connection over Socket.IO, WebSocket only (contract section 5). In the part that is loaded after the badge is painted.

import { Manager } from 'socket.io-client'
import type { InboxChanges } from '../../contract/api.ts'
import type { HandshakeAuth, InboxFrame, RenewAnswer } from '../../contract/frames.ts'

export interface RealtimeOptions {
  url: string
  path: string
  /** Asked at each handshake. */
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
  /** All changes since; rejects when no answer comes in time. */
  sync(since: number): Promise<InboxChanges>
  /** Shows the new session to the socket, so that it stays. */
  renew(token: string): Promise<RenewAnswer>
  close(): void
}

const CONNECT_MS = 10_000
const ANSWER_MS = 3_000

/** Connects at once. After `onDown` this one is spent. */
export function openRealtime(options: RealtimeOptions): Realtime {
  const manager = new Manager(options.url, {
    path: options.path,
    transports: ['websocket'],
    reconnection: false,
    autoConnect: false,
    timeout: CONNECT_MS,
  })
  const socket = manager.socket('/', { auth: (give: (auth: object) => void) => give(options.auth()) })
  let isOver = false

  const end = (code: string | undefined, tells: boolean): void => {
    if (isOver) return
    isOver = true
    socket.disconnect()
    if (tells) options.onDown(code)
  }
  socket.on('connect', () => options.onUp())
  socket.on('disconnect', () => end(undefined, true))
  socket.on('connect_error', (error: Error & { data?: { code?: string } }) => end(error.data?.code, true))
  socket.on('inbox', (frame: InboxFrame) => {
    if (!isOver) options.onFrame(frame)
  })
  socket.on('session:expiring', () => options.onExpiring())
  socket.connect()

  return {
    sync: (since) => socket.timeout(ANSWER_MS).emitWithAck('sync', { since }),
    renew: (token) => socket.timeout(ANSWER_MS).emitWithAck('session:renew', { token }),
    close: () => end(undefined, false),
  }
}
