// Serves a verified socket: registers it, sends its first frame, handles its events and closes it.

import type { Core } from '../domain/core.ts'
import { logFault } from '../lib/log.ts'
import type { FrameStream } from './frame-stream.ts'
import { findSeq, type HandshakeDeps } from './handshake.ts'
import type { GatewayMetrics } from './metrics.ts'
import type { Member, Presence, RealtimeSocket } from './presence.ts'
import { hasUnsentData, type SendBuffer } from './send-buffer.ts'
import type { SessionWatch } from './session-watch.ts'
import type { ConnectionDetails } from './socket-server.ts'

type Taken = Pick<Core, 'bus' | 'log'> & {
  presence: Presence
  buffer: SendBuffer
  stream: FrameStream
  disconnect: Disconnect
  sessions: SessionWatch
  metrics: GatewayMetrics
  verifySession: HandshakeDeps['verifySession']
}

const KNOWN_EVENTS = new Set(['sync', 'session:renew'])

/** @returns A function that begins to serve a verified socket. */
export function createJoin(deps: Taken): (socket: RealtimeSocket, details: ConnectionDetails) => void {
  const { presence, stream, disconnect, bus, metrics, log } = deps
  return function join(socket, { net }) {
    const { token, session, since, epoch } = socket.data.handshake
    const connection = socket.conn
    // Frees the headers and token of the handshake: 1.5 KB per socket, and nothing reads them again.
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
    // Verifies again, because only from now on the end of the session closes this socket. Follows pushes of other nodes
    // before changes are read, so that none is missed.
    Promise.all([deps.verifySession(token), bus.follow(session.userNo)])
      .then(() => stream.begin(member, since, epoch))
      .catch((error) => {
        log.debug('socket closed after handshake', { sessionId: session.id, error })
        disconnect.close(member)
      })
  }
}

function listen(deps: Taken, socket: RealtimeSocket, member: Member): void {
  const { disconnect, buffer } = deps
  socket.onAny((name: string) => {
    if (!KNOWN_EVENTS.has(name)) disconnect.destroy(member)
  })
  socket.on('sync', (request: unknown, acknowledge: unknown) => {
    const since = findSeq(typeof request === 'object' && request !== null && 'since' in request && request.since)
    if (since === null || typeof acknowledge !== 'function') return disconnect.destroy(member)
    deps.stream.sync(member, since).then(
      (answer) => {
        if (buffer.hasCapacity(member)) acknowledge(answer)
      },
      (error) => disconnect.onFault(member, error),
    )
  })
  socket.on('session:renew', (request: unknown, acknowledge: unknown) => {
    if (typeof acknowledge !== 'function') return disconnect.destroy(member)
    void deps.sessions.renew(member, request).then((answer) => {
      if (buffer.hasCapacity(member)) acknowledge(answer)
    })
  })
  // A client that left the namespace needs no connection.
  socket.on('disconnect', () => socket.conn.close())
}

export interface Disconnect {
  /** Removes the socket from the presence; nothing more is sent to it. */
  leave(member: Member): void
  /** Closes the connection; the client connects again. */
  close(member: Member): void
  /** Destroys the connection of a client that breaks the protocol. */
  destroy(member: Member): void
  /** Logs the error and closes the socket; the client connects again and catches up by `seq`. */
  onFault(member: Member, error: unknown): void
}

/** Creates the functions that end a connection. */
export function createDisconnect({
  presence,
  bus,
  metrics,
  log,
}: Pick<Core, 'bus' | 'log'> & {
  presence: Presence
  metrics: GatewayMetrics
}): Disconnect {
  function leave(member: Member): void {
    member.gone = true
    member.held = []
    presence.remove(member)
    if (presence.ofUser(member.session.userNo) === undefined) bus.unfollow(member.session.userNo)
    metrics.onSockets(presence.size())
  }

  function close(member: Member): void {
    leave(member)
    // `close` waits until everything is sent, which never happens when the client does not read.
    if (hasUnsentData(member)) member.net.destroy()
    else member.connection.close()
  }

  return {
    leave,
    close,
    destroy(member) {
      metrics.onCut('protocol')
      leave(member)
      member.net.destroy()
    },
    onFault(member, error) {
      logFault(log, 'socket catch-up failed', { sessionId: member.session.id, error })
      close(member)
    },
  }
}
