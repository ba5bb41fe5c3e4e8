// Serves a socket from its handshake to its end: registers it, listens to its events, sends its first frame, closes it.

import type { Bus } from '../domain/bus.ts'
import type { Log } from '../lib/log.ts'
import type { FrameStream } from './frame-stream.ts'
import { findSeq, type HandshakeDeps } from './handshake.ts'
import type { GatewayMetrics } from './metrics.ts'
import type { Member, Presence, RealtimeSocket } from './presence.ts'
import { hasWaiting, type SendBuffer } from './send-buffer.ts'
import type { SessionWatch } from './session-watch.ts'
import type { Arrival } from './socket-server.ts'

export interface ConnectionDeps {
  presence: Presence
  buffer: SendBuffer
  stream: FrameStream
  disconnect: Disconnect
  sessions: SessionWatch
  bus: Pick<Bus, 'follow'>
  metrics: GatewayMetrics
  log: Log
  verifySession: HandshakeDeps['verifySession']
}

const KNOWN_EVENTS = new Set(['sync', 'session:renew'])

export function createJoin(deps: ConnectionDeps): (socket: RealtimeSocket, arrival: Arrival) => void {
  const { presence, stream, disconnect, bus, metrics, log } = deps
  return function join(socket, { net }) {
    const { token, session, since, epoch } = socket.data.handshake
    const connection = socket.conn
    // Headers and token of the handshake are 1.5 KB per socket, and nothing reads them any more.
    Object.assign(socket, { handshake: null, data: {} })
    const member: Member = {
      connection,
      net,
      session,
      seq: 0,
      reading: true,
      held: [],
      fullSince: null,
      warned: false,
      gone: false,
    }
    presence.add(member)
    metrics.onSockets(presence.size())
    connection.once('close', () => disconnect.leave(member))
    listen(deps, socket, member)
    // Verified again now that an end of the session finds this socket. Pushes of other nodes are followed before changes
    // are read, or one could be missed.
    Promise.all([deps.verifySession(token), bus.follow(session.userNo)])
      .then(() => stream.begin(member, since, epoch))
      .catch((error) => {
        log.debug('socket closed after its handshake', { sessionId: session.id, error })
        disconnect.close(member)
      })
  }
}

function listen(deps: ConnectionDeps, socket: RealtimeSocket, member: Member): void {
  const { disconnect, buffer } = deps
  socket.onAny((name: string) => {
    if (!KNOWN_EVENTS.has(name)) disconnect.cut(member)
  })
  socket.on('sync', (request: unknown, acknowledge: unknown) => {
    const since = findSeq(typeof request === 'object' && request !== null && 'since' in request && request.since)
    if (since === null || typeof acknowledge !== 'function') return disconnect.cut(member)
    deps.stream.sync(member, since).then(
      (answer) => {
        if (buffer.hasRoom(member)) acknowledge(answer)
      },
      (error) => disconnect.onFault(member, error),
    )
  })
  socket.on('session:renew', (request: unknown, acknowledge: unknown) => {
    if (typeof acknowledge !== 'function') return disconnect.cut(member)
    void deps.sessions.renew(member, request).then((answer) => {
      if (buffer.hasRoom(member)) acknowledge(answer)
    })
  })
  // A client that leaves the namespace needs no connection.
  socket.on('disconnect', () => socket.conn.close())
}

export interface Disconnect {
  /** Takes the socket out of all maps; nothing more is sent to it. */
  leave(member: Member): void
  /** Closes the connection; the client sees it and connects again. */
  close(member: Member): void
  /** Destroys the connection of a client that breaks the protocol. */
  cut(member: Member): void
  /** Closes a socket that could not be served: the client connects again and heals by `seq`. */
  onFault(member: Member, error: unknown): void
}

export interface DisconnectDeps {
  presence: Presence
  bus: Pick<Bus, 'unfollow'>
  metrics: GatewayMetrics
  log: Log
}

export function createDisconnect({ presence, bus, metrics, log }: DisconnectDeps): Disconnect {
  function leave(member: Member): void {
    member.gone = true
    member.held = []
    presence.remove(member)
    if (presence.ofUser(member.session.userNo) === undefined) bus.unfollow(member.session.userNo)
    metrics.onSockets(presence.size())
  }

  function close(member: Member): void {
    leave(member)
    // A close waits until everything is sent, which a client that does not read prevents.
    if (hasWaiting(member)) member.net.destroy()
    else member.connection.close()
  }

  return {
    leave,
    close,
    cut(member) {
      metrics.onCut('protocol')
      leave(member)
      member.net.destroy()
    },
    onFault(member, error) {
      log.error('catch-up of a socket failed', { sessionId: member.session.id, error })
      close(member)
    },
  }
}
