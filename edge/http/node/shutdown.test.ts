// Tests that the last answer on each connection closes it.

import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createShutdown } from './shutdown.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const held: ServerResponse[] = []
const server = createServer((request, response) => {
  if (request.url === '/held') held.push(response)
  else response.end()
})
const begin = createShutdown(server)
afterEach(() => {
  agent.destroy()
  server.close()
})

test('after the shutdown has begun each answer closes its connection, also for a request in progress', async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connectionOf = async (path: string) => {
    const [answer] = (await once(get({ port, path, agent }), 'response')) as [IncomingMessage]
    answer.resume()
    return answer.headers.connection
  }
  expect(await connectionOf('/')).toBe('keep-alive')
  const inProgress = connectionOf('/held')
  await expect.poll(() => held.length).toBe(1)
  begin()
  held[0]?.end()
  expect(await inProgress).toBe('close')
  expect(await connectionOf('/')).toBe('close')
})
