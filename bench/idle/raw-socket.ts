// Implements a minimal WebSocket client for one Socket.IO connection, because 15,000 real clients would dominate the figures.

import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

export interface RawSocket {
  close(): void
}

export interface RawSocketOptions {
  url: string
  path: string
  auth: object
  /** Receives the text of each `inbox` packet. */
  onFrame(text: string): void
  /** Reports a socket that ended, or was refused, without `close`. */
  onLost(reason: string): void
}

const PING = '2'
const PONG = maskedText('3')

export function openRawSocket({ url, path, auth, onFrame, onLost }: RawSocketOptions): RawSocket {
  const { hostname, port } = new URL(url)
  const net = connect({ host: hostname, port: Number(port), noDelay: true })
  let isUpgraded = false
  let isClosed = false
  let seen: Buffer = Buffer.alloc(0)

  const lose = (reason: string) => {
    if (isClosed) return
    isClosed = true
    net.destroy()
    onLost(reason)
  }
  net.on('connect', () => {
    const key = randomBytes(16).toString('base64')
    net.write(
      `GET ${path}?EIO=4&transport=websocket HTTP/1.1\r\nhost: ${hostname}:${port}\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`,
    )
  })
  net.on('error', (error) => lose(error.message))
  net.on('close', () => lose('closed'))
  net.on('data', (chunk: Buffer) => {
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk])
    if (!isUpgraded) {
      const end = seen.indexOf('\r\n\r\n')
      if (end === -1) return
      if (!seen.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) return lose(seen.toString('latin1', 0, 12))
      isUpgraded = true
      seen = seen.subarray(end + 4)
    }
    seen = readFrames(seen, (text) => handlePacket(net, auth, text, onFrame, lose))
  })
  return {
    close() {
      isClosed = true
      net.destroy()
    },
  }
}

function handlePacket(
  net: Socket,
  auth: object,
  text: string,
  onFrame: (text: string) => void,
  lose: (why: string) => void,
): void {
  if (text === PING) net.write(PONG)
  else if (text.startsWith('0')) net.write(maskedText(`40${JSON.stringify(auth)}`))
  else if (text.startsWith('42["inbox"')) onFrame(text)
  else if (text.startsWith('44') || text.startsWith('41')) lose(text)
}

/** Parses the frames of a server, which are not masked. @returns the bytes of an unfinished frame */
function readFrames(bytes: Buffer, onText: (text: string) => void): Buffer {
  let at = 0
  while (bytes.length - at >= 2) {
    const short = (bytes[at + 1] ?? 0) & 0x7f
    const head = short < 126 ? 2 : short === 126 ? 4 : 10
    if (bytes.length - at < head) break
    const length =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
    if (bytes.length - at < head + length) break
    const opcode = (bytes[at] ?? 0) & 0x0f
    if (opcode === 1) onText(bytes.toString('utf8', at + head, at + head + length))
    at += head + length
  }
  return at === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at))
}

/** Encodes a text frame of a client: masked, as the protocol demands, with a mask of zeroes. */
function maskedText(text: string): Buffer {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff])
  return Buffer.concat([head, Buffer.alloc(4), payload])
}
