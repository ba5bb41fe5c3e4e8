// Maps users, sessions and credentials to the sockets of this node.
// Socket.IO's rooms would be 1.25 to 1.8 times slower.

import type { Socket as NetSocket } from 'node:net'
import type { Server, Socket } from 'socket.io'
import type { ClientToServer, ServerToClient } from '../../contract/frames.ts'
import type { PushedFrame } from '../domain/bus.ts'
import type { WidgetSession } from '../domain/session.ts'

type NoEvents = Record<string, never>
/** Data that the handshake middleware stores for the connection. */
export interface SocketData {
  handshake: Handshake
}
export type RealtimeServer = Server<ClientToServer, ServerToClient, NoEvents, SocketData>
export type RealtimeSocket = Socket<ClientToServer, ServerToClient, NoEvents, SocketData>
export type Connection = RealtimeSocket['conn']

/** A verified handshake. `since` is null when the client has no inbox yet and reads the pages. */
export interface Handshake {
  token: string
  session: WidgetSession
  since: number | null
  epoch: string | null
}

/** A push of the bus and its packet, which is encoded once, when the first socket needs it. */
export interface PushedPacket {
  push: PushedFrame
  packet(): string
}

/** A verified socket with its session, its position in the change log and its held pushes. */
export interface Member {
  connection: Connection
  /** The TCP connection, which has the number of unsent bytes and can be destroyed at once. */
  net: NetSocket
  session: WidgetSession
  /** The seq of the last frame; changes up to it are not sent again. */
  seq: number
  /** True while changes are read from the store for this socket; pushes wait in `held` meanwhile. */
  reading: boolean
  held: PushedPacket[]
  /** Time since which the send buffer is full (milliseconds that this process ran); null while it is not full. */
  fullSince: number | null
  /** True after `session:expiring` was sent for this session. */
  warned: boolean
  /** True after the socket was removed; nothing is sent to it any more. */
  gone: boolean
}

export interface Presence {
  add(member: Member): void
  remove(member: Member): void
  /** Replaces the session of a member after `session:renew`. */
  changeSession(member: Member, session: Member['session']): void
  /** @returns Undefined when no socket of the user is connected here. */
  ofUser(userNo: number): ReadonlySet<Member> | undefined
  ofSession(sessionId: number): ReadonlySet<Member> | undefined
  /** Sets of members whose sessions have the same keys: a few sets for thousands of sockets. */
  byCredential(): Iterable<ReadonlySet<Member>>
  userNos(): number[]
  all(): Iterable<Member>
  size(): number
}

/** @returns An empty presence. */
export function createPresence(): Presence {
  const members = new Set<Member>()
  const byUser = new Map<number, Set<Member>>()
  const bySession = new Map<number, Set<Member>>()
  const byCredential = new Map<string, Set<Member>>()

  return {
    add(member) {
      members.add(member)
      addTo(byUser, member.session.userNo, member)
      addTo(bySession, member.session.id, member)
      addTo(byCredential, credentialOf(member), member)
    },
    remove(member) {
      members.delete(member)
      removeFrom(byUser, member.session.userNo, member)
      removeFrom(bySession, member.session.id, member)
      removeFrom(byCredential, credentialOf(member), member)
    },
    changeSession(member, session) {
      removeFrom(bySession, member.session.id, member)
      removeFrom(byCredential, credentialOf(member), member)
      member.session = session
      addTo(bySession, session.id, member)
      addTo(byCredential, credentialOf(member), member)
    },
    ofUser: (userNo) => byUser.get(userNo),
    ofSession: (sessionId) => bySession.get(sessionId),
    byCredential: () => byCredential.values(),
    userNos: () => [...byUser.keys()],
    all: () => members,
    size: () => members.size,
  }
}

function credentialOf({ session }: Member): string {
  return `${session.environmentId} ${session.frontKeyId} ${session.credential}`
}

function addTo<K>(map: Map<K, Set<Member>>, key: K, member: Member): void {
  const set = map.get(key)
  if (set === undefined) map.set(key, new Set([member]))
  else set.add(member)
}

function removeFrom<K>(map: Map<K, Set<Member>>, key: K, member: Member): void {
  const set = map.get(key)
  set?.delete(member)
  if (set?.size === 0) map.delete(key)
}
