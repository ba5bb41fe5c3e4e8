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
  healed(): { syncs: number; resets: number }
  /** Times without a server (ms that this process ran); Infinity when it has not reconnected. */
  awayMs(): number[]
  close(): void
}

const GAP_MS = 200
const AGAIN_MS = 500

const isPassing = (data: unknown) => (data as { code?: string } | undefined)?.code === 'service/unavailable'

/** Follows the inbox from the position of the sign-in on. Reconnects after 100 to 1000 ms, with jitter. */
export function watchInbox(url: string, userId: string, session: AuthAnswer): Watcher {
  const { epoch, seq, unread, unopened } = session.inbox
  let head = { seq, unread, unopened }
  const added: string[] = []
  const away: number[] = []
  const healed = { syncs: 0, resets: 0 }
  let goneAt: number | undefined
  let healing: NodeJS.Timeout | undefined
  let again: NodeJS.Timeout | undefined
  const socket: Socket<ServerToClient, ClientToServer> = io(url, {
    path: session.realtime.path,
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 100,
    reconnectionDelayMax: 1000,
    auth: (give) => give({ token: session.sessionToken, epoch, since: head.seq }),
  })

  // Like every client: ignores old changes, and calls `sync` when a gap stays open for `GAP_MS`.
  function take(told: InboxHead & { changes: InboxChange[]; reset?: boolean }): void {
    if (told.reset === true) healed.resets += 1
    else if (told.seq < head.seq) return
    for (const change of told.changes) {
      if (change.seq > head.seq && change.op === 'add') added.push(change.message.id)
    }
    head = { seq: told.seq, unread: told.unread, unopened: told.unopened }
    clearTimeout(healing)
    healing = undefined
  }
  function heal(): void {
    healing ??= setTimeout(() => {
      healing = undefined
      healed.syncs += 1
      socket.emit('sync', { since: head.seq }, take)
    }, GAP_MS)
  }
  socket.on('inbox', (frame) => {
    if (frame.from > head.seq && frame.reset !== true) heal()
    else take(frame)
    // Counts as reconnected when it knows the current position, not only when it is connected.
    if (goneAt !== undefined) away.push(runningNow() - goneAt)
    goneAt = undefined
  })
  socket.on('disconnect', () => {
    goneAt ??= runningNow()
  })
  // A server that cannot confirm the session now refuses the handshake, which socket.io treats as final.
  socket.on('connect_error', (error) => {
    if (socket.active || !('data' in error) || !isPassing(error.data)) return
    again = setTimeout(() => socket.connect(), AGAIN_MS)
  })
  return {
    userId,
    isConnected: () => socket.connected,
    head: () => head,
    added: () => added,
    healed: () => healed,
    awayMs: () => (goneAt === undefined ? away : [...away, Number.POSITIVE_INFINITY]),
    close() {
      clearTimeout(healing)
      clearTimeout(again)
      socket.close()
    },
  }
}
