// Defines the realtime frames: Socket.IO event name → payload.

import type { InboxChange, InboxChanges, InboxHead } from './api.ts'

/** Handshake data of a client: its session and the last change that it knows. */
export interface HandshakeAuth {
  token: string
  epoch?: string
  since?: number
}

/** Changes after `from` up to `seq`. `reset`: the client reads the pages again; then `from` equals `seq`, without changes. */
export interface InboxFrame extends InboxHead {
  from: number
  changes: InboxChange[]
  reset?: boolean
}

export type RenewAnswer = { ok: true; expiresAt: string } | { ok: false; code: string }

export interface ServerToClient {
  inbox: (frame: InboxFrame) => void
  'session:expiring': (notice: { expiresAt: string }) => void
}

export interface ClientToServer {
  sync: (request: { since: number }, acknowledge: (answer: InboxChanges) => void) => void
  'session:renew': (request: { token: string }, acknowledge: (answer: RenewAnswer) => void) => void
}
