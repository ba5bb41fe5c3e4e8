// Tests HAProxy with our configuration: it uses ready targets only, prefers the least busy, and sends no request twice.

import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { CONFIG, createProxy } from './proxy.ts'

// Each case starts a program, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

interface GivenTarget {
  port: number
  server: Server
  isReady: boolean
  /** What it says is impaired while it is ready. */
  details: { path: string }[] | undefined
  /** Requested paths, without probes. */
  asked: string[]
}

async function givenTarget(answer: RequestListener = (_request, response) => response.end('ok')): Promise<GivenTarget> {
  const server = createServer((incoming, response) => {
    if (incoming.url === '/readyz') {
      const { isReady, details } = target
      const body = isReady ? { status: 'ready', details } : { code: 'service/unavailable', reason: 'draining' }
      response.writeHead(isReady ? 200 : 503).end(JSON.stringify(body))
      return
    }
    target.asked.push(incoming.url ?? '')
    answer(incoming, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const target: GivenTarget = { port, server, isReady: true, details: undefined, asked: [] }
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return target
}

/** Targets answer probes in the process of the test, which may stand still for seconds on a busy machine. */
const SLOW_CHECKS = CONFIG.replace('timeout check 1s', 'timeout check 20s')

async function givenProxy(targets: GivenTarget[], config = SLOW_CHECKS) {
  const proxy = await createProxy({ port: 0, nodes: targets.map(({ port }) => port), config })
  ends.push(proxy.close)
  return proxy
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
interface Seen {
  status: number | undefined
  headers: IncomingMessage['headers']
  body: string
}
async function readAll(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming) text += chunk
  return text
}

function get(url: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  return new Promise<Seen>((resolve, reject) => {
    const { body = '', ...rest } = options
    const asking = request(url, { agent, ...rest }, (answer) => {
      readAll(answer).then(
        (text) => resolve({ status: answer.statusCode, headers: answer.headers, body: text }),
        reject,
      )
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

test('requests and answers pass as they are, over kept connections, with the true address of the client', async () => {
  const ports = new Set<number | undefined>()
  const target = await givenTarget(async (incoming, response) => {
    const body = await readAll(incoming)
    ports.add(incoming.socket.remotePort)
    const { method, headers } = incoming
    response.writeHead(201, { 'X-Own': ['a', 'b'] }).end(JSON.stringify({ method, headers, body }))
  })
  const proxy = await givenProxy([target])
  const sent = { method: 'PUT', body: 'x'.repeat(100_000), headers: { 'x-forwarded-for': '9.9.9.9', 'x-own': 'c' } }
  const first = await get(`${proxy.url}/a%2Fb?c=d`, sent)
  expect(first).toMatchObject({ status: 201, headers: { 'x-own': 'a, b' } })
  expect(JSON.parse(first.body)).toMatchObject({
    method: 'PUT',
    body: sent.body,
    headers: { 'x-forwarded-for': '127.0.0.1', 'x-own': 'c', host: new URL(proxy.url).host },
  })
  for (let turn = 0; turn < 5; turn++) await get(`${proxy.url}/again`)
  expect(target.asked).toEqual(['/a%2Fb?c=d', ...Array(5).fill('/again')])
  expect(ports.size).toBe(1)
})

test('the least busy of the ready targets is asked, and those that are not ready are left alone', async () => {
  const held: (() => void)[] = []
  const slow: RequestListener = (incoming, response) => {
    if (incoming.url === '/slow') held.push(() => response.end('slow'))
    else response.end('ok')
  }
  const targets = [await givenTarget(slow), await givenTarget(slow)] as const
  const proxy = await givenProxy(targets.slice())
  await expect.poll(proxy.ready).toBe(2)
  const pending = get(`${proxy.url}/slow`, { headers: { connection: 'close' } })
  await expect.poll(() => held.length).toBe(1)
  const [busy, idle] = targets[0].asked.length > 0 ? targets : [targets[1], targets[0]]
  for (let turn = 0; turn < 4; turn++) await fetch(`${proxy.url}/quick`)
  expect([busy.asked.length, idle.asked.length]).toEqual([1, 4])
  idle.isReady = false
  await expect.poll(proxy.ready).toBe(1)
  await fetch(`${proxy.url}/quick`)
  expect([busy.asked.length, idle.asked.length]).toEqual([2, 4])
  for (const end of held) end()
  expect((await pending).body).toBe('slow')
})

test('without a ready target a request is held until there is one, or answered 503 in the end', async () => {
  const target = await givenTarget()
  target.isReady = false
  const proxy = await givenProxy([target])
  const held = get(`${proxy.url}/held`)
  const fewRetries = await givenProxy([target], SLOW_CHECKS.replace('retries 20', 'retries 1'))
  const refused = await fetch(`${fewRetries.url}/held`)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true])
  expect(await refused.json()).toMatchObject({ code: 'service/unavailable' })
  expect(target.asked).toEqual([])
  target.isReady = true
  expect((await held).status).toBe(200)
  expect(target.asked).toEqual(['/held'])
})

test('a target that is impaired but serves most is asked where there is no better one', async () => {
  const targets = [await givenTarget(), await givenTarget()] as const
  targets[0].details = [{ path: 'redis' }]
  targets[1].isReady = false
  const proxy = await givenProxy(targets.slice())
  expect(await proxy.ready()).toBe(0)
  for (let turn = 0; turn < 3; turn++) expect((await fetch(`${proxy.url}/x`)).status).toBe(200)
  expect(targets.map(({ asked }) => asked.length)).toEqual([3, 0])
  targets[1].isReady = true
  // The other backend may probe it first, and then serves requests from both.
  await expect.poll(proxy.ready).toBe(1)
  for (let turn = 0; turn < 3; turn++) await fetch(`${proxy.url}/x`)
  expect(targets.map(({ asked }) => asked.length)).toEqual([3, 3])
})

test('a refused connection goes to the next target, with its body whole', async () => {
  const bodies: string[] = []
  const gone = await givenTarget()
  const here = await givenTarget(async (incoming, response) => {
    bodies.push(await readAll(incoming))
    response.end('ok')
  })
  const proxy = await givenProxy([gone, here])
  await expect.poll(proxy.ready).toBe(2)
  gone.server.closeAllConnections()
  gone.server.close()
  for (let turn = 0; turn < 3; turn++) {
    expect((await get(`${proxy.url}/x`, { method: 'POST', body: `body ${turn}` })).status).toBe(200)
  }
  expect(bodies).toEqual(['body 0', 'body 1', 'body 2'])
  expect(await proxy.ready()).toBe(1)
})

test('a request that a target may have begun is answered 502 and tried nowhere else', async () => {
  const breaking: RequestListener = (incoming) => incoming.socket.destroy()
  const targets = [await givenTarget(breaking), await givenTarget(breaking)]
  const proxy = await givenProxy(targets)
  await expect.poll(proxy.ready).toBe(2)
  expect((await fetch(`${proxy.url}/once`, { method: 'POST', body: 'b' })).status).toBe(502)
  expect(targets.flatMap(({ asked }) => asked)).toEqual(['/once'])
})

test('a body is passed on while it arrives', async () => {
  const target = await givenTarget((incoming, response) => void incoming.pipe(response))
  const proxy = await givenProxy([target])
  const asking = request(`${proxy.url}/echo`, { agent: false, method: 'POST' })
  asking.write('first')
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  const [chunk] = (await once(answer, 'data')) as [Buffer]
  expect(String(chunk)).toBe('first')
  asking.end()
  await once(answer.resume(), 'end')
})

test('a port that is in use is refused', async () => {
  const target = await givenTarget()
  await expect(createProxy({ port: target.port, nodes: [target.port] })).rejects.toThrow('Address already in use')
})

test('half an answer is broken off for the client too', async () => {
  const target = await givenTarget((incoming, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => incoming.socket.destroy())
  })
  const proxy = await givenProxy([target])
  await expect(get(`${proxy.url}/half`)).rejects.toThrow()
})

test('the target notices a client that disconnects', async () => {
  const target = await givenTarget(() => {})
  const aborted = new Promise((resolve) => {
    target.server.on('request', (incoming) => incoming.url === '/x' && incoming.socket.on('close', resolve))
  })
  const proxy = await givenProxy([target])
  const asking = request(`${proxy.url}/x`, { agent: false })
  asking.on('error', () => {})
  asking.end()
  await expect.poll(() => target.asked).toEqual(['/x'])
  asking.destroy()
  await aborted
})

// The example of RFC 6455 section 1.3.
const WEBSOCKET = { key: 'dGhlIHNhbXBsZSBub25jZQ==', accept: 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=' }

test('an upgrade is a tunnel both ways, and either end closes it', async () => {
  const target = await givenTarget()
  target.server.on('upgrade', (incoming, socket, head) => {
    const lines = ['HTTP/1.1 101 Switching Protocols', `upgrade: ${incoming.headers.upgrade}`, 'connection: upgrade']
    socket.write(`${lines.join('\r\n')}\r\nsec-websocket-accept: ${WEBSOCKET.accept}\r\n\r\n`)
    socket.write(`${incoming.headers['x-forwarded-for']} ${head}`)
    socket.on('data', (chunk: Buffer) => (String(chunk) === 'bye' ? socket.end() : socket.write(chunk)))
  })
  const proxy = await givenProxy([target])
  const { hostname, port } = new URL(proxy.url)
  const client = connect({ host: hostname, port: Number(port) })
  let seen = ''
  client.on('data', (chunk) => {
    seen += chunk
  })
  const head = ['GET /v1/realtime HTTP/1.1', 'host: a', 'upgrade: websocket', 'connection: upgrade']
  client.write(`${head.join('\r\n')}\r\nsec-websocket-key: ${WEBSOCKET.key}\r\n\r\nearly`)
  await expect.poll(() => seen).toMatch(/^HTTP\/1.1 101 .*upgrade: websocket.*127\.0\.0\.1 early$/s)
  client.write('echo')
  await expect.poll(() => seen).toMatch(/earlyecho$/)
  const closed = once(client, 'close')
  client.write('bye')
  await closed
})
