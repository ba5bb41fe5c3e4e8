// Runs trackers, readers and sockets over kept connections without retries, and records every failure.

import { Agent, request } from 'node:http'
import { io, type Socket } from 'socket.io-client'
import type { AuthAnswer, InboxPage } from '../../../contract/api.ts'
import type { ClientToServer, InboxFrame, ServerToClient } from '../../../contract/frames.ts'

export interface SteadyLoad {
  /** Runs until `stop`; records every failure and continues. */
  run(): Promise<void>
  stop(): void
  /** Numbers of calls with the expected answer. */
  calls: { tracked: number; read: number }
  failures: string[]
  /** Mark (`user number`) of each event that was answered 202. */
  acknowledged: string[]
  sockets: TrackedSocket[]
  close(): void
}

/** A socket with the position that its client knows from frames alone. */
export interface TrackedSocket {
  userId: string
  client: Socket<ServerToClient, ClientToServer>
  seq: number
  /** Number of connects. */
  connects: number
  /** Frames that arrived before their predecessors. */
  gaps: number
}

export interface SteadyLoadDeps {
  url: string
  sdkSecretKey: string
  event: string
  sessions: Map<string, AuthAnswer>
  trackers: number
  readers: number
}

/** Connects a socket for each session. Calls begin with `run`. */
export function createSteadyLoad(deps: SteadyLoadDeps): SteadyLoad {
  const agent = new Agent({ keepAlive: true })
  const users = [...deps.sessions.keys()]
  let isStopped = false
  let number = 0
  const load: SteadyLoad = {
    calls: { tracked: 0, read: 0 },
    failures: [],
    acknowledged: [],
    sockets: [...deps.sessions].map(([userId, session]) => openSocket(deps.url, userId, session)),
    async run() {
      const loops = [...Array(deps.trackers).fill(track), ...Array(deps.readers).fill(read)]
      await Promise.all(loops.map((step) => repeat(step)))
    },
    stop() {
      isStopped = true
    },
    close() {
      for (const { client } of load.sockets) client.disconnect()
      agent.destroy()
    },
  }

  async function repeat(step: () => Promise<void>): Promise<void> {
    while (!isStopped) await step().catch((error: unknown) => load.failures.push(String(error)))
  }

  async function track(): Promise<void> {
    number += 1
    const current = number
    const userId = users[current % users.length] as string
    const { sdkSecretKey, event } = deps
    const body = JSON.stringify({ sdkSecretKey, name: event, userId, properties: { name: `no ${current}.` } })
    await call('POST', '/v1/events/track', sdkSecretKey, 202, body)
    load.calls.tracked += 1
    load.acknowledged.push(`${userId} ${current}`)
  }

  async function read(): Promise<void> {
    const session = deps.sessions.get(users[load.calls.read % users.length] as string) as AuthAnswer
    await call('GET', '/v1/inbox/messages?limit=5', session.sessionToken, 200)
    load.calls.read += 1
  }

  function call(method: string, path: string, credential: string, status: number, body?: string): Promise<void> {
    const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const outgoing = request(deps.url + path, { method, agent, headers }, (answer) => {
        answer.on('error', reject).on('end', () => {
          if (answer.statusCode === status) resolve()
          else reject(new Error(`${method} ${path} answered ${answer.statusCode}`))
        })
        answer.resume()
      })
      outgoing.on('error', reject).end(body)
    })
  }

  return load
}

function openSocket(url: string, userId: string, { sessionToken, inbox }: AuthAnswer): TrackedSocket {
  const tracked: TrackedSocket = { userId, seq: inbox.seq, connects: 0, gaps: 0, client: connect() }
  function connect(): TrackedSocket['client'] {
    return io(url, {
      path: '/v1/realtime',
      transports: ['websocket'],
      auth: (callback) => callback({ token: sessionToken, epoch: inbox.epoch, since: tracked.seq }),
      forceNew: true,
      reconnectionDelay: 200,
      reconnectionDelayMax: 1000,
    })
  }
  tracked.client.on('connect', () => {
    tracked.connects += 1
  })
  tracked.client.on('inbox', (frame: InboxFrame) => {
    if (frame.from > tracked.seq && frame.reset !== true) tracked.gaps += 1
    tracked.seq = Math.max(tracked.seq, frame.seq)
  })
  return tracked
}

/** Returns the mark (`user number`) of each message in a user's inbox. */
export async function marksOf(url: string, userId: string, session: AuthAnswer): Promise<string[]> {
  const marks: string[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const headers = { authorization: `Bearer ${session.sessionToken}` }
    const page = (await (await fetch(`${url}/v1/inbox/messages?limit=100${query}`, { headers })).json()) as InboxPage
    for (const { title } of page.data) marks.push(`${userId} ${/no (\d+)\./.exec(title)?.[1]}`)
    cursor = page.nextCursor
  } while (cursor !== null)
  return marks
}
