// Starts a server that answers SMTP as a test writes it, also wrongly.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface GivenScript {
  port: number
  stop(): Promise<void>
}

/**
 * @param greeting null: none; a function writes it to a new connection
 * @param onText handles each line of the client, or each chunk after DATA
 */
export async function givenSmtpScript(
  greeting: string | null | ((socket: Socket) => void),
  onText: (text: string, socket: Socket) => void,
): Promise<GivenScript> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => onText(chunk.toString('latin1'), socket))
    if (typeof greeting === 'function') greeting(socket)
    else if (greeting !== null) socket.write(greeting)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers each command, without PIPELINING; `instead` handles what follows from the command `at`. */
export function answerUntil(at: string, instead: (socket: Socket, text: string) => void) {
  let isReached = false
  return (text: string, socket: Socket) => {
    isReached ||= text.startsWith(at)
    if (isReached) return instead(socket, text)
    socket.write(text.startsWith('DATA') ? '354 go\r\n' : '250 ok\r\n')
  }
}
