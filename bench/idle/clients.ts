// Runs a process of clients: signs users in, holds a socket for each, drops all on request and reconnects like the widget.

import { performance } from 'node:perf_hooks'
import { reconnectDelayMs } from '../../widget/lib/delays.ts'
import { createCustomer, type Session } from '../customer.ts'
import { openRawSocket, type RawSocket } from './raw-socket.ts'

export type Command = 'open' | 'lose' | 'count'
export interface Counts {
  connected: number
  lost: number
  /** Number of messages in the received frames. */
  added: number
  /** Milliseconds from the loss to the first frame of the last client. */
  backMs: number
  reasons: Record<string, number>
}

const [edgeUrl = '', dataDir = '', firstText = '0', countText = '0'] = process.argv.slice(2)
const customer = createCustomer(edgeUrl, dataDir)
const users = Array.from({ length: Number(countText) }, (_, at) => `idle_${Number(firstText) + at}`)
const sessions: Session[] = []
const sockets = new Map<number, RawSocket>()
const connected = new Set<number>()
const counts: Counts = { connected: 0, lost: 0, added: 0, backMs: 0, reasons: {} }
let lostAt = 0

await inTurns(users, 16, async (user, at) => {
  sessions[at] = await customer.signIn(user)
})
process.on('message', async (command: Command) => {
  if (command === 'open') await openAll()
  if (command === 'lose') await loseAll()
  process.send?.({ ...counts, connected: connected.size })
})
process.send?.('ready')

/** Opens a socket. Resolves with the first frame, or when the socket was refused. */
function open(at: number): Promise<void> {
  const session = sessions[at]
  if (session === undefined) throw new Error('not signed in')
  const { url, path } = session.realtime
  return new Promise((resolve) => {
    const auth = { token: session.sessionToken, epoch: session.inbox.epoch, since: session.inbox.seq }
    const socket = openRawSocket({
      url,
      path,
      auth,
      onFrame(text) {
        counts.added += text.split('"op":"add"').length - 1
        connected.add(at)
        resolve()
      },
      onLost(reason) {
        counts.lost++
        counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1
        connected.delete(at)
        resolve()
      },
    })
    sockets.set(at, socket)
  })
}

async function openAll(): Promise<void> {
  await inTurns(users, 32, (_user, at) => open(at))
}

async function loseAll(): Promise<void> {
  for (const socket of sockets.values()) socket.close()
  connected.clear()
  lostAt = performance.now()
  await Promise.all(
    users.map(async (_user, at) => {
      await new Promise((resolve) => setTimeout(resolve, reconnectDelayMs(0)))
      await open(at)
    }),
  )
  counts.backMs = performance.now() - lostAt
}

/** Runs `work` for all items, at most `lanes` at a time. */
async function inTurns<T>(items: T[], lanes: number, work: (item: T, at: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as T, at)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
