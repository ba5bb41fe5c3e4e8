// Opens a widget's socket as bare TCP: reads on request and sends any bytes (RFC 6455, Engine.IO 4).

import { connect, type Socket } from 'node:net'
import type { InboxFrame } from '../../../contract/frames.ts'

export interface RawSocket {
  net: Socket
  /** Received `inbox` frames. */
  frames: InboxFrame[]
  /** Sends a text as one frame. */
  send(text: string): void
  /** Resolves when the other side has closed. */
  closed: Promise<void>
}

/** Returns a client frame with a mask of zeros. `lastPart` false: the message continues. */
export function frameOf(opcode: number, payload: string, lastPart = true): Buffer {
  const data = Buffer.from(payload)
  return Buffer.concat([headOfFrame(opcode, data.length, lastPart), data])
}

/** Returns the frame head alone, which may claim any length. */
export function headOfFrame(opcode: number, length: number, lastPart = true): Buffer {
  const first = Buffer.from([(lastPart ? 0x80 : 0) | opcode])
  const mask = Buffer.alloc(4)
  if (length < 126) return Buffer.concat([first, Buffer.from([0x80 | length]), mask])
  const size = Buffer.alloc(length < 65_536 ? 2 : 8)
  if (size.length === 2) size.writeUInt16BE(length)
  else size.writeBigUInt64BE(BigInt(length))
  return Buffer.concat([first, Buffer.from([0x80 | (size.length === 2 ? 126 : 127)]), size, mask])
}

/** Fields of a sign-in answer that a socket needs. */
export interface SocketSession {
  sessionToken: string
  realtime: { url: string; path: string }
  inbox: { epoch: string }
}

/** Connects as the session's user, from `since` on, and waits for the first frame. */
export async function openRawSocket(session: SocketSession, since: number): Promise<RawSocket> {
  const { hostname, port, host } = new URL(session.realtime.url)
  const net = connect({ host: hostname, port: Number(port), noDelay: true })
  net.on('error', () => {})
  const closed = new Promise<void>((resolve) => net.once('close', () => resolve()))
  const frames: InboxFrame[] = []
  let received = Buffer.alloc(0)
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const send = (text: string) => void net.write(frameOf(1, text))
  net.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (let text = takeText(); text !== undefined; text = takeText()) receive(text)
  })

  function receive(text: string): void {
    const { epoch } = session.inbox
    if (text.startsWith('0')) send(`40${JSON.stringify({ token: session.sessionToken, since, epoch })}`)
    else if (text === '2') send('3')
    else if (text.startsWith('42["inbox",')) {
      frames.push((JSON.parse(text.slice(2)) as [string, InboxFrame])[1])
      begin()
    }
  }

  /** Returns the next complete text; skips other data (the upgrade answer, pongs). */
  function takeText(): string | undefined {
    if (received.subarray(0, 4).toString('latin1') === 'HTTP') {
      const end = received.indexOf('\r\n\r\n')
      if (end === -1) return undefined
      received = received.subarray(end + 4)
    }
    const frame = parseFrame(received)
    if (frame === undefined) return undefined
    received = received.subarray(frame.bytes)
    return frame.opcode === 1 ? frame.text : takeText()
  }

  net.write(
    `GET ${session.realtime.path}/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\n` +
      `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16, 7).toString('base64')}\r\n\r\n`,
  )
  await Promise.race([begun, closed.then(() => Promise.reject(new Error('It was closed before its first frame.')))])
  return { net, frames, send, closed }
}

function parseFrame(bytes: Buffer): { opcode: number; text: string; bytes: number } | undefined {
  if (bytes.length < 2) return undefined
  const short = bytes.readUInt8(1) & 0x7f
  const head = short < 126 ? 2 : short === 126 ? 4 : 10
  if (bytes.length < head) return undefined
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  if (bytes.length < head + length) return undefined
  const text = bytes.subarray(head, head + length).toString()
  return { opcode: bytes.readUInt8(0) & 0x0f, text, bytes: head + length }
}
