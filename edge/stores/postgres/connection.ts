// Manages one PostgreSQL connection from its opening to its loss. It never reconnects: a statement could
// otherwise continue outside of its transaction.

import { connect, type Socket } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import postgres from 'postgres'
import { startDeadline } from '../../lib/deadline.ts'
import type { Param } from '../sql/sql.ts'
import { ConnectionLost, codeOf } from './faults.ts'
import { checkSession, explainOpening, OPEN_SESSION, SESSION_SETTINGS, type Session } from './session.ts'

/** Rows, with the number of rows changed or returned. */
export type Rows<Row = unknown> = Row[] & { count: number; command: string }

export interface StatementKind {
  /** Prepares the statement on the server for later calls. Otherwise it is planned for its values each time. */
  prepare: boolean
}

export interface Connection {
  /** Sends a statement at once: statements that are not awaited share a round trip. */
  query<Row>(text: string, params?: Param[], kind?: StatementKind): Promise<Rows<Row>>
  /** Returns the number of statements without a result. */
  inFlight(): number
  /** Closes the connection now; all pending statements are rejected. */
  destroy(reason: string): void
  isLost(): boolean
}

export interface ConnectionOptions {
  /** Contains address and password: must not reach a log or an error. */
  url: string
  /** For connecting and signing in (ms). */
  deadlineMs: number
  onLost?: (error: Error) => void
}

const MAX_IN_FLIGHT = 2000
const KEEP_ALIVE_MS = 10_000
/** Reads bigint as a number, because the service's numbers have at most 53 bits. */
const INT8 = { to: 20, from: [20], parse: Number, serialize: String }

/**
 * Opens a connection.
 * @throws Error when the connection cannot be opened in time, or with a text for the operator when the server is
 * unsuitable.
 */
export async function openConnection({ url, deadlineMs, onLost }: ConnectionOptions): Promise<Connection> {
  const socket = openSocket(url)
  let broken: Error | undefined
  socket.once('error', (error) => {
    broken = error
  })
  const state: State = { lost: undefined, waiting: new Set(), onLost }
  const client = postgres(
    // The client sends parameters that it does not know to the server, which refuses them.
    withoutSocket(url),
    clientOptions(url, socket, () => lose(state, 'closed')),
  )
  const endWait = startDeadline(deadlineMs, () =>
    socket.destroy(new ConnectionLost('no connection within the deadline')),
  )
  try {
    // The first statement opens the connection. Reserved from then on, the client cannot use another one.
    const [session] = await client.unsafe<[Session]>(OPEN_SESSION)
    checkSession(session)
    const reserved = await client.reserve()
    return {
      query: (text, params = [], kind = { prepare: true }) => send(state, reserved, text, params, kind),
      inFlight: () => state.waiting.size,
      isLost: () => state.lost !== undefined,
      destroy(reason) {
        lose(state, reason)
        socket.destroy()
      },
    }
  } catch (error) {
    socket.destroy()
    // The client only reports that it was closed; the error of the socket has the reason.
    throw error instanceof ConnectionLost && codeOf(broken) !== '' ? broken : explainOpening(error)
  } finally {
    endWait()
  }
}

interface State {
  lost: Error | undefined
  waiting: Set<(error: Error) => void>
  onLost: ConnectionOptions['onLost']
}

function openSocket(url: string): Socket {
  const { hostname, port: given, searchParams } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const port = Number(given || 5432)
  const folder = searchParams.get('host')
  const place = folder === null ? { host, port } : { path: `${folder}/.s.PGSQL.${port}` }
  const socket = connect({ ...place, noDelay: true, keepAlive: true })
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  // The client reports errors, but it does not exist yet.
  socket.on('error', () => {})
  // The client reads the host name for TLS from here.
  return Object.assign(socket, { host })
}

function withoutSocket(url: string): string {
  const address = new URL(url)
  address.searchParams.delete('host')
  return address.href
}

function clientOptions(url: string, socket: Socket, onclose: () => void) {
  let isUsed = false
  return {
    ...certificateCheck(url),
    // The client uses the path undecoded.
    database: decodeURIComponent(new URL(url).pathname.slice(1)),
    max: 1,
    max_pipeline: MAX_IN_FLIGHT,
    max_lifetime: null,
    connect_timeout: 0,
    fetch_types: false,
    no_subscribe: true,
    onnotice: () => {},
    onclose,
    types: { int8: INT8 },
    connection: SESSION_SETTINGS,
    async socket(): Promise<Socket> {
      if (isUsed) throw new ConnectionLost('closed')
      isUsed = true
      if (socket.connecting) {
        await new Promise<void>((resolve, reject) => {
          socket.once('connect', resolve)
          socket.once('error', reject)
          socket.once('close', () => reject(new ConnectionLost('closed')))
        })
      } else if (socket.destroyed) throw new ConnectionLost('closed')
      return socket
    },
  }
}

/**
 * Checks the certificate for the host of the URL (verify-full, also for verify-ca). The client passes no IP address:
 * Node would then accept a certificate for `localhost`.
 */
function certificateCheck(url: string): { ssl?: { checkServerIdentity: typeof checkServerIdentity } } {
  const { hostname, searchParams } = new URL(url)
  if (!/^verify-(full|ca)$/.test(searchParams.get('sslmode') ?? '')) return {}
  const host = hostname.replace(/^\[|\]$/g, '')
  return { ssl: { checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) } }
}

function lose(state: State, reason: string): void {
  if (state.lost !== undefined) return
  state.lost = new ConnectionLost(reason)
  const waiting = [...state.waiting]
  state.waiting.clear()
  for (const reject of waiting) reject(state.lost)
  state.onLost?.(state.lost)
}

type Client = Pick<postgres.Sql, 'unsafe'>

function send<Row>(state: State, reserved: Client, text: string, params: Param[], { prepare }: StatementKind) {
  return new Promise<Rows<Row>>((resolve, reject) => {
    if (state.lost !== undefined) return reject(state.lost)
    state.waiting.add(reject)
    const kind = { prepare, simple: !prepare && params.length === 0 }
    reserved
      .unsafe<Row[] & Record<string, unknown>[]>(text, params, kind)
      .then(
        (rows) => resolve(rows as Row[] as Rows<Row>),
        (error: Error) => reject(state.lost ?? error),
      )
      .finally(() => state.waiting.delete(reject))
  })
}
