// Starts a real SMTP server that collects mails, or behaves as a test tells it.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  /** Addresses of the envelope. */
  from: string
  to: string[]
  raw: Buffer
  parsed: Email
}

export interface GivenSmtpOptions {
  /** Offers STARTTLS with this certificate, or speaks TLS from the start. */
  tls?: { key: string; cert: string; fromStart?: boolean }
  /** Demands this login. */
  login?: { user: string; password: string }
  /** Default: a free one. */
  port?: number
}

/**
 * What the server does with a mail of which it has all: take it; take it (`cut`) or not (`drop`) and end all
 * connections without an answer; or answer with an SMTP code.
 */
export type Behaviour = 'take' | 'cut' | 'drop' | { code: number; message: string }

export interface GivenSmtp {
  host: string
  port: number
  /** Oldest first. */
  mails: ReceivedMail[]
  /** Returns the behaviour for the n-th mail (from 1); `take` unless it is set. */
  behave: (count: number, to: string, mail: ReceivedMail) => Behaviour | Promise<Behaviour>
  /** Returns the refusal of a recipient, before the mail itself; null: it is taken. */
  refuse: (to: string) => { code: number; message: string } | null
  /** Number of open connections. */
  connections(): number
  /** Resolves when so many mails have arrived. */
  received(count: number): Promise<ReceivedMail[]>
  stop(): Promise<void>
}

/** Without TLS and login unless the options say otherwise, as a relay on the same machine. */
export async function givenSmtp({ tls, login, port = 0 }: GivenSmtpOptions = {}): Promise<GivenSmtp> {
  let count = 0
  let wake = () => {}
  const server = new SMTPServer({
    disabledCommands: [...(tls === undefined ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])],
    disableReverseLookup: true,
    ...(tls !== undefined && { key: tls.key, cert: tls.cert, secure: tls.fromStart === true }),
    onAuth({ username, password }, _session, callback) {
      if (username === login?.user && password === login?.password) return callback(null, { user: username })
      callback(toFailure({ code: 535, message: `5.7.8 Wrong password ${password}` }))
    },
    onRcptTo({ address }, _session, callback) {
      const refusal = given.refuse(address)
      callback(refusal === null ? null : toFailure(refusal))
    },
    async onData(stream, session, callback) {
      const raw = await readAll(stream)
      // A client that ended its connection within a mail has not handed it over.
      if (raw === undefined) return
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const received = await toReceived(session, raw)
      const behaviour = await given.behave(++count, to[0] ?? '', received)
      if (typeof behaviour === 'object') {
        callback(toFailure(behaviour))
        return
      }
      if (behaviour !== 'drop') {
        given.mails.push(received)
        wake()
      }
      if (behaviour === 'take') callback(null, 'taken')
      else destroyConnections(server)
    },
  })
  // A client that ends its connection is no failure of the server.
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const given: GivenSmtp = {
    host: '127.0.0.1',
    port: (server.server.address() as AddressInfo).port,
    mails: [],
    behave: () => 'take',
    refuse: () => null,
    connections: () => connectionsOf(server).size,
    async received(wanted) {
      while (given.mails.length < wanted) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return given.mails
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
  return given
}

/** Returns undefined when the stream ends before the mail does. */
async function readAll(stream: Readable): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await stream.toArray())
  } catch {
    return undefined
  }
}

function toFailure({ code, message }: { code: number; message: string }): Error {
  return Object.assign(new Error(message), { responseCode: code })
}

function connectionsOf(server: SMTPServer): Set<{ _socket: { destroy(): void } }> {
  return (server as SMTPServer & { connections: Set<{ _socket: { destroy(): void } }> }).connections
}

function destroyConnections(server: SMTPServer): void {
  for (const connection of connectionsOf(server)) connection._socket.destroy()
}

async function toReceived({ envelope }: SMTPServerSession, raw: Buffer): Promise<ReceivedMail> {
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
  return { from, to: envelope.rcptTo.map(({ address }) => address), raw, parsed: await PostalMime.parse(raw) }
}
