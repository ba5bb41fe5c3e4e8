// One connection to PostgreSQL from its opening to its loss, never opened again: what was sent on a lost one is rejected, and can
// not go on, out of its transaction, on the next (issue part 3, PostgreSQL).

import { connect, type Socket } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import postgres from 'postgres'
import { startDeadline } from '../../lib/deadline.ts'
import type { Param } from '../sql/sql.ts'
import { codeOf, LinkLost } from './faults.ts'
import { confirmSession, explainOpening, OPEN_SESSION, SESSION_SETTINGS, type Session } from './session.ts'

/** Rows, and how many were changed or answered. */
export type Rows<Row = unknown> = Row[] & { count: number; command: string }

export interface StatementKind {
  /** Kept on the server for the next call. Without it the statement is planned for its values each time. */
  prepare: boolean
}

export interface Link {
  /** Sent at once: statements that are not waited for stand behind each other in one round trip. */
  query<Row>(text: string, params?: Param[], kind?: StatementKind): Promise<Rows<Row>>
  /** Statements without an answer yet. */
  inFlight(): number
  /** Cuts it now; all that waits is rejected. */
  destroy(reason: string): void
  isLost(): boolean
}

export interface LinkOptions {
  /** Address and secrets: never in a message. */
  url: string
  /** For connecting and signing in. */
  deadlineMs: number
  onLost?: (error: Error) => void
}

const MOST_IN_FLIGHT = 2000
const KEEP_ALIVE_MS = 10_000
/** bigint: our numbers stay within 53 bits. */
const INT8 = { to: 20, from: [20], parse: Number, serialize: String }

/** Throws when it cannot be had in time, and a text for the operator when it must not be worked on. */
export async function openLink({ url, deadlineMs, onLost }: LinkOptions): Promise<Link> {
  const socket = openSocket(url)
  let broken: Error | undefined
  socket.once('error', (error) => {
    broken = error
  })
  const state: State = { lost: undefined, waiting: new Set(), onLost }
  const client = postgres(
    url,
    clientOptions(url, socket, () => lose(state, 'closed')),
  )
  const endWait = startDeadline(deadlineMs, () => socket.destroy(new LinkLost('no connection within the deadline')))
  try {
    // The first statement opens the connection; held from then on, the client cannot send anything on another.
    const [session] = await client.unsafe<[Session]>(OPEN_SESSION)
    confirmSession(session)
    const held = await client.reserve()
    return {
      query: (text, params = [], kind = { prepare: true }) => send(state, held, text, params, kind),
      inFlight: () => state.waiting.size,
      isLost: () => state.lost !== undefined,
      destroy(reason) {
        lose(state, reason)
        socket.destroy()
      },
    }
  } catch (error) {
    socket.destroy()
    // The client only says that it was closed; the socket knows why.
    throw error instanceof LinkLost && codeOf(broken) !== '' ? broken : explainOpening(error)
  } finally {
    endWait()
  }
}

interface State {
  lost: Error | undefined
  waiting: Set<(error: Error) => void>
  onLost: LinkOptions['onLost']
}

function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ host, port: Number(port || 5432), noDelay: true, keepAlive: true })
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  // Told by the client, which is not there yet.
  socket.on('error', () => {})
  // What the client takes the name for TLS from.
  return Object.assign(socket, { host })
}

function clientOptions(url: string, socket: Socket, onclose: () => void) {
  let isTaken = false
  return {
    ...verified(url),
    // The client takes it as it stands in the address.
    database: decodeURIComponent(new URL(url).pathname.slice(1)),
    max: 1,
    max_pipeline: MOST_IN_FLIGHT,
    max_lifetime: null,
    connect_timeout: 0,
    fetch_types: false,
    no_subscribe: true,
    onnotice: () => {},
    onclose,
    types: { int8: INT8 },
    connection: SESSION_SETTINGS,
    async socket(): Promise<Socket> {
      if (isTaken) throw new LinkLost('closed')
      isTaken = true
      if (socket.connecting) {
        await new Promise<void>((resolve, reject) => {
          socket.once('connect', resolve)
          socket.once('error', reject)
          socket.once('close', () => reject(new LinkLost('closed')))
        })
      } else if (socket.destroyed) throw new LinkLost('closed')
      return socket
    },
  }
}

/**
 * The whole check of verify-full, which is done for verify-ca, too. The client asks for a name alone, and Node takes `localhost` for the name of a socket to an
 * address: a certificate for that would do.
 */
function verified(url: string): { ssl?: { checkServerIdentity: typeof checkServerIdentity } } {
  const { hostname, searchParams } = new URL(url)
  if (!/^verify-(full|ca)$/.test(searchParams.get('sslmode') ?? '')) return {}
  const host = hostname.replace(/^\[|\]$/g, '')
  return { ssl: { checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) } }
}

function lose(state: State, reason: string): void {
  if (state.lost !== undefined) return
  state.lost = new LinkLost(reason)
  const waiting = [...state.waiting]
  state.waiting.clear()
  for (const reject of waiting) reject(state.lost)
  state.onLost?.(state.lost)
}

type Client = Pick<postgres.Sql, 'unsafe'>

function send<Row>(state: State, held: Client, text: string, params: Param[], { prepare }: StatementKind) {
  return new Promise<Rows<Row>>((resolve, reject) => {
    if (state.lost !== undefined) return reject(state.lost)
    state.waiting.add(reject)
    const kind = { prepare, simple: !prepare && params.length === 0 }
    held
      .unsafe<Row[] & Record<string, unknown>[]>(text, params, kind)
      .then(
        (rows) => resolve(rows as Row[] as Rows<Row>),
        (error: Error) => reject(state.lost ?? error),
      )
      .finally(() => state.waiting.delete(reject))
  })
}
