// Runs an SMTP server as a process: it accepts every mail, counts them, and keeps the time from event to acceptance.

import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { sharedNow } from './machine-clock.ts'

export interface Accepted {
  /** Since the start of the process. */
  mails: number
  bytes: number
  /** When the last one was accepted, on the shared clock. */
  at: number
}

export type ServerCommand =
  /** Answers `Accepted`. */
  | 'count'
  /** Answers the milliseconds between event and acceptance of mails with this mark, and forgets them. */
  | { takeLatencies: string }
  /** Answers the source of the last mail. */
  | 'last'

/** A subject has its mark and the instant at which its event was due, such as `single@1234.5`. */
const DUE = /\b(\w+)@(\d+(?:\.\d+)?)/
const latencies = new Map<string, number[]>()
const accepted: Accepted = { mails: 0, bytes: 0, at: 0 }
let last: Buffer = Buffer.alloc(0)

const server = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onData(stream, _session, callback) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      callback(null, 'accepted')
      accept(Buffer.concat(chunks))
    })
  },
})
// A client that ends its connection is no failure of the server.
server.on('error', () => {})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.server.address() as AddressInfo).port }))

function accept(mail: Buffer): void {
  last = mail
  accepted.mails += 1
  accepted.bytes += mail.length
  accepted.at = sharedNow()
  const [, mark, dueAt] = DUE.exec(mail.toString('latin1', 0, 1024)) ?? []
  if (mark !== undefined) {
    const own = latencies.get(mark) ?? []
    own.push(accepted.at - Number(dueAt))
    latencies.set(mark, own)
  }
}

process.on('message', (command: ServerCommand) => {
  if (command === 'count') process.send?.(accepted)
  else if (command === 'last') process.send?.(last.toString('latin1'))
  else {
    process.send?.(latencies.get(command.takeLatencies) ?? [])
    latencies.delete(command.takeLatencies)
  }
})
