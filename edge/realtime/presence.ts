// Maps users, sessions and credentials to the sockets of this node, in place of Socket.IO's rooms, which are 1.25 to 1.8 times slower.

import type { Socket as NetSocket } from 'node:net'
import type { Server, Socket } from 'socket.io'
import type { ClientToServer, ServerToClient } from '../../contract/frames.ts'
import type { PushedFrame } from '../domain/bus.ts'
import type { WidgetSession } from '../domain/session.ts'

type NoEvents = Record<string, never>
/** What the middleware of the handshake leaves for the connection. */
export interface SocketData {
  handshake: Handshake
}
export type RealtimeServer = Server<ClientToServer, ServerToClient, NoEvents, SocketData>
export type RealtimeSocket = Socket<ClientToServer, ServerToClient, NoEvents, SocketData>
export type Connection = RealtimeSocket['conn']

/** A verified handshake. `since` is null when the client has no inbox yet: it reads the pages. */
export interface Handshake {
  token: string
  session: WidgetSession
  since: number | null
  epoch: string | null
}

/** A push of the bus, and its packet: encoded once, when the first socket needs it. */
export interface PushedPacket {
  push: PushedFrame
  packet(): string
}

/** A verified socket: its session, how far it has come, and what waits for it. */
export interface Member {
  connection: Connection
  /** The TCP connection below: has the number of bytes that wait, and can be destroyed at once. */
  net: NetSocket
  session: WidgetSession
  /** The seq up to which this socket has frames; nothing at or below it is sent again. */
  seq: number
  /** While changes are read from the store for it, pushes wait in `held`. */
  reading: boolean
  held: PushedPacket[]
  /** Since when its send buffer is full (ms that this process ran); null while it is not. */
  fullSince: number | null
  /** `session:expiring` was sent for this session. */
  warned: boolean
  gone: boolean
}

export interface Presence {
  add(member: Member): void
  remove(member: Member): void
  /** After `session:renew`: the member is found by its new session only. */
  changeSession(member: Member, session: Member['session']): void
  ofUser(userNo: number): ReadonlySet<Member> | undefined
  ofSession(sessionId: number): ReadonlySet<Member> | undefined
  /** Members in sets whose sessions have the same keys: thousands of sockets, a few sets. */
  byCredential(): Iterable<ReadonlySet<Member>>
  userNos(): number[]
  all(): Iterable<Member>
  size(): number
}

export function createPresence(): Presence {
  const members = new Set<Member>()
  const byUser = new Map<number, Set<Member>>()
  const bySession = new Map<number, Set<Member>>()
  const byCredential = new Map<string, Set<Member>>()

  return {
    add(member) {
      members.add(member)
      put(byUser, member.session.userNo, member)
      put(bySession, member.session.id, member)
      put(byCredential, credentialOf(member), member)
    },
    remove(member) {
      members.delete(member)
      take(byUser, member.session.userNo, member)
      take(bySession, member.session.id, member)
      take(byCredential, credentialOf(member), member)
    },
    changeSession(member, session) {
      take(bySession, member.session.id, member)
      take(byCredential, credentialOf(member), member)
      member.session = session
      put(bySession, session.id, member)
      put(byCredential, credentialOf(member), member)
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

function put<K>(map: Map<K, Set<Member>>, key: K, member: Member): void {
  const set = map.get(key)
  if (set === undefined) map.set(key, new Set([member]))
  else set.add(member)
}

function take<K>(map: Map<K, Set<Member>>, key: K, member: Member): void {
  const set = map.get(key)
  set?.delete(member)
  if (set?.size === 0) map.delete(key)
}
