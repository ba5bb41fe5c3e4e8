// The realtime connection: socket.io-client over one WebSocket, which reconnects until it is closed.

import { io, type Socket, WebSocket } from 'socket.io-client'
import type { InboxChanges } from '../../contract/api.ts'
import type { ClientToServer, HandshakeAuth, InboxFrame, RenewAnswer, ServerToClient } from '../../contract/frames.ts'
import { reconnectDelayMs } from '../lib/delays.ts'

export interface RealtimeOptions {
  url: string
  path: string
  /** Asked at the handshake of each attempt. */
  auth: () => HandshakeAuth
  onUp: () => void
  /** The connection is lost, or an attempt failed: with `code` when the service refused it. The next attempt follows by itself. */
  onDown: (code: string | undefined) => void
  onFrame: (frame: InboxFrame) => void
  /** The session ends in 60 s. */
  onExpiring: () => void
}

export interface Realtime {
  /** All changes since; rejects when no answer comes in time (3 s when not given), or the connection is lost. */
  sync(since: number, answerMs?: number): Promise<InboxChanges>
  /** Shows the new session to the service, so that the connection stays. */
  renew(token: string): Promise<RenewAnswer>
  /** Ends a connection that does not answer; the next attempt follows after a delay. */
  drop(): void
  /** No callback is called afterwards. */
  close(): void
}

export type CreateRealtime = typeof createRealtime

const CONNECT_MS = 10_000
const ANSWER_MS = 3_000
/** The first delay is 1.1 to 9.9 s, because a server that stops loses all its connections at one instant; no later one is over 10 s. */
export const RECONNECT = { reconnectionDelay: 5_500, randomizationFactor: 0.8, reconnectionDelayMax: 10_000 }

/** Packets of the one namespace and of text; the client throws at a refusal or an acknowledgement without data. */
const PACKET = /^(?!4)|^4(1$|[0234]\d*[[{])/

/** Ends the connection for a packet that cannot be read, where the client would throw in the page. */
class CheckedWebSocket extends WebSocket {
  protected override onData(data: unknown): void {
    try {
      if (!PACKET.test(String(data))) throw new Error('packet invalid')
      super.onData(data)
    } catch (error) {
      this.onError('packet invalid', error)
    }
  }
}

/** @returns a connection that is attempted at once, and again whenever it is lost or refused, until it is closed */
export function createRealtime({ url, path, ...options }: RealtimeOptions): Realtime {
  const socket: Socket<ServerToClient, ClientToServer> = io(new URL(url).origin, {
    path,
    transportImplementations: [CheckedWebSocket],
    forceNew: true,
    auth: (send) => send(options.auth()),
    timeout: CONNECT_MS,
    ...RECONNECT,
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const drop = (): void => void socket.io.engine.close()

  const onDown = (code?: string): void => {
    clearTimeout(timer)
    // After a refusal, or an end by the server, the client leaves the next attempt to its user.
    if (!socket.active) timer = setTimeout(() => socket.connect(), reconnectDelayMs(1))
    options.onDown(code)
  }
  socket.on('connect', options.onUp)
  socket.on('disconnect', () => onDown())
  socket.on('connect_error', (error) => {
    // An answer that is no handshake leaves the transport open.
    if (socket.active) drop()
    onDown((error as { data?: { code?: string } }).data?.code)
  })
  socket.on('inbox', options.onFrame)
  socket.on('session:expiring', options.onExpiring)

  return {
    sync: (since, answerMs = ANSWER_MS) => socket.timeout(answerMs).emitWithAck('sync', { since }),
    renew: (token) => socket.timeout(ANSWER_MS).emitWithAck('session:renew', { token }),
    drop,
    close: () => {
      clearTimeout(timer)
      socket.off()
      socket.disconnect()
    },
  }
}
