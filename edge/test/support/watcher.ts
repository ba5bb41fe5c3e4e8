// An open widget without its face: one socket.io client that follows its user's inbox and comes back by itself, as the widget's own does.

import { io, type Socket } from 'socket.io-client'
import type { AuthAnswer, InboxChange, InboxHead } from '../../../contract/api.ts'
import type { ClientToServer, ServerToClient } from '../../../contract/frames.ts'
import { runningNow } from './within.ts'

export interface Watcher {
  userId: string
  isConnected(): boolean
  /** The last that it was told. */
  head(): { seq: number; unread: number; unopened: number }
  /** Messages that were added, as often as they were. */
  added(): string[]
  /** How often it had to ask for what no frame had brought, and to begin anew. */
  healed(): { syncs: number; resets: number }
  /** How long it was without a server, each time that it was (ms that this process ran); one that is not back yet counts as endless. */
  awayMs(): number[]
  close(): void
}

const GAP_MS = 200
const AGAIN_MS = 500

const isPassing = (data: unknown) => (data as { code?: string } | undefined)?.code === 'service/unavailable'

/** Follows from the head of the sign-in on. Between tries: 100 to 1000 ms, with jitter. */
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

  // Contract section 5: what is not newer is ignored, a gap is held for a while, then asked for.
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
    // Back when it knows again, not when it only has a connection.
    if (goneAt !== undefined) away.push(runningNow() - goneAt)
    goneAt = undefined
  })
  socket.on('disconnect', () => {
    goneAt ??= runningNow()
  })
  // A server that cannot confirm the session right now refuses the handshake: the library takes that for the last word.
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
