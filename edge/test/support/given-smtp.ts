// Starts a real SMTP server that collects mails, or behaves as a test tells it.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  /** Addresses of the envelope. */
  from: string
  to: string[]
  raw: Buffer
  parsed: Email
}

/** What the server does with a mail: take it, answer with an SMTP code, or end the connection after it has all. */
export type Behaviour = 'take' | 'cut' | { code: number; message: string }

export interface GivenSmtp {
  host: string
  port: number
  /** Oldest first. */
  mails: ReceivedMail[]
  /** Returns the behaviour for the n-th mail (from 1); `take` unless it is set. */
  behave: (count: number, to: string) => Behaviour | Promise<Behaviour>
  /** Resolves when so many mails have arrived. */
  received(count: number): Promise<ReceivedMail[]>
  stop(): Promise<void>
}

/** Without TLS and login, as a relay on the same machine. */
export async function givenSmtp(): Promise<GivenSmtp> {
  let count = 0
  let wake = () => {}
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    async onData(stream, session, callback) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const behaviour = await given.behave(++count, to[0] ?? '')
      if (typeof behaviour === 'object') {
        callback(Object.assign(new Error(behaviour.message), { responseCode: behaviour.code }))
        return
      }
      given.mails.push(await toReceived(session, Buffer.concat(chunks)))
      wake()
      if (behaviour === 'cut') destroyConnections(server)
      else callback(null, 'taken')
    },
  })
  // A client that ends its connection is no failure of the server.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const given: GivenSmtp = {
    host: '127.0.0.1',
    port: (server.server.address() as AddressInfo).port,
    mails: [],
    behave: () => 'take',
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

function destroyConnections(server: SMTPServer): void {
  const { connections } = server as SMTPServer & { connections: Set<{ _socket: { destroy(): void } }> }
  for (const connection of connections) connection._socket.destroy()
}

async function toReceived({ envelope }: SMTPServerSession, raw: Buffer): Promise<ReceivedMail> {
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
  return { from, to: envelope.rcptTo.map(({ address }) => address), raw, parsed: await PostalMime.parse(raw) }
}
