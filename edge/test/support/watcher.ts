// Follows a user's inbox with one socket.io client that reconnects, like a widget without DOM.

import { io, type Socket } from 'socket.io-client'
import type { AuthAnswer, InboxChange, InboxHead } from '../../../contract/api.ts'
import type { ClientToServer, ServerToClient } from '../../../contract/frames.ts'
import { runningNow } from './within.ts'

export interface Watcher {
  userId: string
  isConnected(): boolean
  /** The last received inbox head. */
  head(): { seq: number; unread: number; unopened: number }
  /** Ids of the messages that `add` changes contained, with repeats. */
  added(): string[]
  /** Numbers of `sync` calls after a gap, and of resets. */
  catchUps(): { syncs: number; resets: number }
  /** Times without a server (ms that this process ran); Infinity when it has not reconnected. */
  offlineMs(): number[]
  close(): void
}

const GAP_MS = 200
const RETRY_MS = 500

const isTemporary = (data: unknown) => (data as { code?: string } | undefined)?.code === 'service/unavailable'

/** Follows the inbox from the position of the sign-in on. Reconnects after 100 to 1000 ms, with jitter. */
export function watchInbox(url: string, userId: string, session: AuthAnswer): Watcher {
  const { epoch, seq, unread, unopened } = session.inbox
  let head = { seq, unread, unopened }
  const added: string[] = []
  const offline: number[] = []
  const catchUps = { syncs: 0, resets: 0 }
  let disconnectedAt: number | undefined
  let syncTimer: NodeJS.Timeout | undefined
  let retryTimer: NodeJS.Timeout | undefined
  const socket: Socket<ServerToClient, ClientToServer> = io(url, {
    path: session.realtime.path,
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 100,
    reconnectionDelayMax: 1000,
    auth: (callback) => callback({ token: session.sessionToken, epoch, since: head.seq }),
  })

  // Like every client: ignores old changes, and calls `sync` when a gap stays open for `GAP_MS`.
  function apply(update: InboxHead & { changes: InboxChange[]; reset?: boolean }): void {
    if (update.reset === true) catchUps.resets += 1
    else if (update.seq < head.seq) return
    for (const change of update.changes) {
      if (change.seq > head.seq && change.op === 'add') added.push(change.message.id)
    }
    head = { seq: update.seq, unread: update.unread, unopened: update.unopened }
    clearTimeout(syncTimer)
    syncTimer = undefined
  }
  function scheduleSync(): void {
    syncTimer ??= setTimeout(() => {
      syncTimer = undefined
      catchUps.syncs += 1
      socket.emit('sync', { since: head.seq }, apply)
    }, GAP_MS)
  }
  socket.on('inbox', (frame) => {
    if (frame.from > head.seq && frame.reset !== true) scheduleSync()
    else apply(frame)
    // Counts as reconnected when it knows the current position, not only when it is connected.
    if (disconnectedAt !== undefined) offline.push(runningNow() - disconnectedAt)
    disconnectedAt = undefined
  })
  socket.on('disconnect', () => {
    disconnectedAt ??= runningNow()
  })
  // A server that cannot confirm the session now refuses the handshake, which socket.io treats as final.
  socket.on('connect_error', (error) => {
    if (socket.active || !('data' in error) || !isTemporary(error.data)) return
    retryTimer = setTimeout(() => socket.connect(), RETRY_MS)
  })
  return {
    userId,
    isConnected: () => socket.connected,
    head: () => head,
    added: () => added,
    catchUps: () => catchUps,
    offlineMs: () => (disconnectedAt === undefined ? offline : [...offline, Number.POSITIVE_INFINITY]),
    close() {
      clearTimeout(syncTimer)
      clearTimeout(retryTimer)
      socket.close()
    },
  }
}
