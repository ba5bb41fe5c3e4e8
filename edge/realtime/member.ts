// One admitted socket: whose it is, how far it has come, and what waits for it.

import type { Socket as NetSocket } from 'node:net'
import type { Server, Socket } from 'socket.io'
import type { ClientToServer, ServerToClient } from '../../contract/frames.ts'
import type { WidgetSession } from '../domain/session.ts'
import type { PushedPacket } from './pushed-packet.ts'

type NoEvents = Record<string, never>
/** What middleware leaves for the connection. */
export interface SocketData {
  admission: Admission
}
export type RealtimeServer = Server<ClientToServer, ServerToClient, NoEvents, SocketData>
export type RealtimeSocket = Socket<ClientToServer, ServerToClient, NoEvents, SocketData>
export type Connection = RealtimeSocket['conn']

/** A verified handshake. `since` is null when the client knows nothing: it is told to read the pages. */
export interface Admission {
  token: string
  session: WidgetSession
  since: number | null
  epoch: string | null
}

export interface Member {
  connection: Connection
  /** The TCP connection below: knows how many bytes wait, and can be cut at once. */
  net: NetSocket
  session: WidgetSession
  /** The seq that this socket was brought to; nothing at or below it is sent again. */
  seq: number
  /** While changes are read from the store for it, pushes wait in `held`. */
  reading: boolean
  held: PushedPacket[]
  /** Since when more waits for it than may (ms that this process ran); null while it keeps up. */
  fullSince: number | null
  /** `session:expiring` was sent for this session. */
  warned: boolean
  gone: boolean
}
