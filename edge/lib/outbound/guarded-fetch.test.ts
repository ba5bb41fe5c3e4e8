// Tests the guard against calls to internal addresses (SSRF): every spelling of addresses, names, redirects, sizes, time.

import type { lookup } from 'node:dns'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAddressRule } from './address-rule.ts'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'

const REFUSED = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0x7f.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:169.254.169.254]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[100::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[3fff::1]',
  '[4000::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
]

let url: string
let handle: (request: IncomingMessage, response: ServerResponse) => void
let asked: number
let closing: (() => Promise<unknown>)[]
beforeEach(async () => {
  asked = 0
  handle = (_, response) => response.end('hello')
  const server = createServer((request, response) => {
    asked++
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const closeServer = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  closing = [closeServer]
})
afterEach(() => Promise.all(closing.map((close) => close())))

function givenFetch(allow: string[], resolve?: typeof lookup): GuardedFetch['fetch'] {
  const guarded = createGuardedFetch({ allow, ...(resolve && { resolve }) })
  closing.push(guarded.close)
  return guarded.fetch
}

/** Creates a resolver that returns these addresses for every name. */
function resolvesTo(...addresses: string[]): typeof lookup {
  const list = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return ((_name: string, _options: object, callback: (error: null, list: object) => void) =>
    callback(null, list)) as typeof lookup
}

describe('without OUTBOUND_ALLOW', () => {
  test.each(REFUSED)('%s is refused, by https and http', async (host) => {
    const fetch = givenFetch([])
    const port = new URL(url).port
    await expect(fetch(`https://${host}:${port}/`)).rejects.toMatchObject({ reason: 'forbidden-address' })
    await expect(fetch(`http://${host}:${port}/`)).rejects.toMatchObject({ reason: 'forbidden-address' })
    expect(asked).toBe(0)
  })

  test('http is refused also to a public address', async () => {
    await expect(givenFetch([])('http://8.8.8.8/')).rejects.toMatchObject({ reason: 'forbidden-address' })
  })

  test('localhost, and a name that resolves to a private address, are refused', async () => {
    const port = new URL(url).port
    await expect(givenFetch([])(`https://localhost:${port}/`)).rejects.toMatchObject({ reason: 'forbidden-address' })
    const fetch = givenFetch([], resolvesTo('10.0.0.1', '::ffff:127.0.0.1'))
    await expect(fetch(`https://evil.example:${port}/`)).rejects.toMatchObject({ reason: 'forbidden-address' })
    expect(asked).toBe(0)
  })

  test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(createAddressRule([])(address)).toBe('public')
  })
})

describe('with OUTBOUND_ALLOW', () => {
  test('a named range is reached by http, in any spelling, and the rest is not', async () => {
    const fetch = givenFetch(['127.0.0.0/8'])
    expect(await fetch(url)).toMatchObject({ status: 200, body: 'hello' })
    const port = new URL(url).port
    expect(await fetch(`http://2130706433:${port}`)).toMatchObject({ status: 200 })
    await expect(fetch('http://10.0.0.1/')).rejects.toMatchObject({ reason: 'forbidden-address' })
    await expect(fetch('http://[::1]/')).rejects.toMatchObject({ reason: 'forbidden-address' })
  })

  test('only the addresses of a name that are in the range are tried', async () => {
    const fetch = givenFetch(['127.0.0.0/8'], resolvesTo('10.0.0.1', '127.0.0.1'))
    expect(await fetch(`http://idp.example:${new URL(url).port}/`)).toMatchObject({ body: 'hello' })
  })

  test('a name is resolved for each connection: a rebound name is refused', async () => {
    const answers = ['127.0.0.1', '10.0.0.1']
    const resolve = ((_name: string, _options: object, callback: (error: null, list: object) => void) =>
      callback(null, [{ address: answers.shift(), family: 4 }])) as typeof lookup
    const fetch = givenFetch(['127.0.0.0/8'], resolve)
    handle = (_, response) => response.writeHead(200, { connection: 'close' }).end('hello')
    const address = `http://rebind.example:${new URL(url).port}/`
    expect(await fetch(address)).toMatchObject({ status: 200 })
    await expect(fetch(address)).rejects.toMatchObject({ reason: 'forbidden-address' })
  })

  test('a redirect is refused and not followed', async () => {
    handle = (_, response) => response.writeHead(302, { location: `${url}/inside` }).end()
    await expect(givenFetch(['127.0.0.0/8'])(url)).rejects.toMatchObject({ reason: 'redirect' })
    expect(asked).toBe(1)
  })

  test('an answer larger than the limit is cut, one of the limit is not', async () => {
    const fetch = givenFetch(['127.0.0.0/8'])
    handle = (_, response) => response.end('x'.repeat(1024 * 1024))
    expect((await fetch(url)).body).toHaveLength(1024 * 1024)
    handle = (_, response) => response.end('x'.repeat(1024 * 1024 + 1))
    await expect(fetch(url)).rejects.toMatchObject({ reason: 'too-large' })
  })

  test('a server that does not answer, or never ends, times out', async () => {
    const fetch = givenFetch(['127.0.0.0/8'])
    handle = () => {}
    await expect(fetch(url, { timeoutMs: 50 })).rejects.toMatchObject({ reason: 'timeout' })
    handle = (_, response) => response.write('a')
    await expect(fetch(url, { timeoutMs: 50 })).rejects.toMatchObject({ reason: 'timeout' })
  })

  test('a POST contains its body and headers', async () => {
    handle = async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      response.end(`${request.method} ${request.headers['webhook-id']} ${Buffer.concat(chunks)}`)
    }
    const answer = await givenFetch(['127.0.0.0/8'])(url, {
      method: 'POST',
      headers: { 'webhook-id': 'msg_1' },
      body: '{}',
    })
    expect(answer.body).toBe('POST msg_1 {}')
  })

  test('a closed port is unreachable', async () => {
    const closed = { reason: 'unreachable', wasSent: false }
    await expect(givenFetch(['127.0.0.0/8'])('http://127.0.0.1:1/')).rejects.toMatchObject(closed)
  })

  test('an error reports whether the request was sent', async () => {
    const fetch = givenFetch(['127.0.0.0/8'])
    handle = (request) => request.socket.destroy()
    await expect(fetch(url, { method: 'POST', body: '{}' })).rejects.toMatchObject({
      reason: 'unreachable',
      wasSent: true,
    })
    handle = () => {}
    await expect(fetch(url, { timeoutMs: 50 })).rejects.toMatchObject({ reason: 'timeout', wasSent: true })
    handle = (_, response) => response.writeHead(302, { location: url }).end()
    await expect(fetch(url)).rejects.toMatchObject({ reason: 'redirect', wasSent: true })
    await expect(givenFetch([])(url)).rejects.toMatchObject({ reason: 'forbidden-address', wasSent: false })
  })
})

test.each([
  ['', 'invalid-url'],
  ['//example.com', 'invalid-url'],
  ['https://user:pass@example.com/', 'invalid-url'],
  ['ftp://example.com/', 'forbidden-scheme'],
  ['file:///etc/passwd', 'forbidden-scheme'],
])('%j is %s', async (address, reason) => {
  await expect(givenFetch([])(address)).rejects.toMatchObject({ reason })
})
