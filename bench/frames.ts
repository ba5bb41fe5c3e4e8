// Measures the time from the tracked event to the frame at the client; each message contains the instant when its event was due.

import { io, type Socket } from 'socket.io-client'
import type { Customer, Session } from './customer.ts'
import { pace } from './load.ts'

interface Frame {
  changes: { op: string; message?: { data: { at?: string } } }[]
}

const USERS = 100
const PATIENCE_MS = 20_000

/** One edge, or two: events go to the first, sockets to the second. */
export interface Nodes {
  tracked: { customer: Customer; url: string }
  watched: Customer
}

/** Measures the latencies of all frames at that rate. @returns milliseconds @throws when a frame is missing */
export async function measureFrames({ tracked, watched }: Nodes, perSecond: number, forMs: number): Promise<number[]> {
  const users = Array.from({ length: USERS }, (_, at) => `frames_${at}`)
  const latencies: number[] = []
  const sockets = await Promise.all(
    users.map(async (user) => {
      const socket = await connectSocket(await watched.signIn(user))
      socket.on('inbox', ({ changes }: Frame) => {
        for (const { message } of changes) {
          if (message?.data.at !== undefined) latencies.push(performance.now() - Number(message.data.at))
        }
      })
      return socket
    }),
  )
  let sent = 0
  await pace(tracked.url, perSecond, forMs, 64, () => {
    sent += 1
    return tracked.customer.track(users[sent % USERS] as string, performance.now())
  })
  const patienceMs = performance.now() + PATIENCE_MS
  while (latencies.length < sent && performance.now() < patienceMs)
    await new Promise((resolve) => setTimeout(resolve, 20))
  for (const socket of sockets) socket.disconnect()
  if (latencies.length !== sent) throw new Error(`${sent} events, ${latencies.length} frames`)
  return latencies
}

/** Connects a client and waits for its first frame. */
export async function connectSocket({ realtime, sessionToken, inbox }: Session): Promise<Socket> {
  const auth = { token: sessionToken, epoch: inbox.epoch, since: inbox.seq }
  const socket = io(realtime.url, {
    path: realtime.path,
    transports: ['websocket'],
    auth,
    reconnection: false,
    forceNew: true,
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('inbox', () => resolve())
    socket.once('connect_error', reject)
  })
  return socket
}
