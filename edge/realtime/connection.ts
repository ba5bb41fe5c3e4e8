// One admitted socket from its handshake on: its member, the events that it may send, its first frame (contract section 5).

import type { Bus } from '../domain/bus.ts'
import type { Log } from '../lib/log.ts'
import { type AdmissionDeps, findSeq } from './admission.ts'
import type { Delivery } from './delivery.ts'
import type { Departure } from './departure.ts'
import type { Member, RealtimeSocket } from './member.ts'
import type { GatewayMetrics } from './metrics.ts'
import type { Outbox } from './outbox.ts'
import type { Presence } from './presence.ts'
import type { SessionWatch } from './session-watch.ts'
import type { Arrival } from './socket-server.ts'

export interface ConnectionDeps {
  presence: Presence
  outbox: Outbox
  delivery: Delivery
  departure: Departure
  sessions: SessionWatch
  bus: Pick<Bus, 'follow'>
  metrics: GatewayMetrics
  log: Log
  verifySession: AdmissionDeps['verifySession']
}

const KNOWN = new Set(['sync', 'session:renew'])

export function createJoin(deps: ConnectionDeps): (socket: RealtimeSocket, arrival: Arrival) => void {
  const { presence, delivery, departure, bus, metrics, log } = deps
  return function join(socket, { net }) {
    const { token, session, since, epoch } = socket.data.admission
    const connection = socket.conn
    // The handshake's headers and token are needed no more: a kilobyte and a half for each idle socket.
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
    connection.once('close', () => departure.leave(member))
    listen(deps, socket, member)
    // Asked again now that an end would find this socket: a session that ended in between is refused here. And what is
    // read before the other nodes' pushes come here could miss one.
    Promise.all([deps.verifySession(token), bus.follow(session.userNo)])
      .then(() => delivery.begin(member, since, epoch))
      .catch((error) => {
        log.debug('A socket was closed after its handshake.', { sessionId: session.id, error })
        departure.close(member)
      })
  }
}

function listen(deps: ConnectionDeps, socket: RealtimeSocket, member: Member): void {
  const { departure, outbox } = deps
  socket.onAny((name: string) => {
    if (!KNOWN.has(name)) departure.cut(member)
  })
  socket.on('sync', (request: unknown, acknowledge: unknown) => {
    const since = findSeq(typeof request === 'object' && request !== null && 'since' in request && request.since)
    if (since === null || typeof acknowledge !== 'function') return departure.cut(member)
    deps.delivery.sync(member, since).then(
      (answer) => {
        if (outbox.hasRoom(member)) acknowledge(answer)
      },
      (error) => departure.onFault(member, error),
    )
  })
  socket.on('session:renew', (request: unknown, acknowledge: unknown) => {
    if (typeof acknowledge !== 'function') return departure.cut(member)
    void deps.sessions.renew(member, request).then((answer) => {
      if (outbox.hasRoom(member)) acknowledge(answer)
    })
  })
  // A client that leaves the namespace has no use for the connection.
  socket.on('disconnect', () => socket.conn.close())
}
