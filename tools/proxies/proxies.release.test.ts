// Tests the files of `deploy/proxies` with the real programs: pages, sockets, mail links, addresses, sizes, and closed metrics.

import { connect } from 'node:http2'
import { request } from 'node:https'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildEdge } from '../../edge/test/support/edge-process.ts'
import { inboxCampaign } from '../../edge/test/support/given.ts'
import { type GivenMails, givenMails } from '../../edge/test/support/given-mails.ts'
import { runProxy } from './run-proxy.ts'

/** Mail links and the socket have it; the proxies keep it. */
const BELOW = '/notify'

// The proxies have certificates that they made themselves.
vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')

describe.each(['nginx', 'caddy', 'haproxy'] as const)('%s', (name) => {
  let mails: GivenMails
  let proxy: { url: string; end(): Promise<void> }

  beforeAll(async () => {
    await buildEdge()
    mails = await givenMails({
      PUBLIC_URL: `https://notify.example.com${BELOW}`,
      TRUSTED_PROXIES: '1',
      RATE_LIMITS: 'auth=2',
    })
    proxy = await runProxy(name, new URL(mails.edge.url).host)
  })
  afterAll(async () => {
    await proxy?.end()
    await mails?.edge.stop()
  })

  /** Sends a request over HTTP/1.1 from one of this machine's addresses. */
  function send(path: string, { from = '127.0.0.1', headers = {}, body = '' } = {}) {
    return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const method = body === '' ? 'GET' : 'POST'
      const asking = request(
        proxy.url + path,
        { method, headers, localAddress: from, agent: false },
        async (answer) => {
          let text = ''
          for await (const chunk of answer) text += chunk
          resolve({ status: answer.statusCode, text })
        },
      )
      asking.on('error', reject)
      asking.end(body)
    })
  }

  test.each(['', BELOW])('the dashboard comes over HTTP/2 at the path %j', async (path) => {
    const session = connect(proxy.url)
    const stream = session.request({ ':path': `${path}/dashboard` })
    let page = ''
    for await (const chunk of stream) page += chunk
    session.close()
    expect(page).toMatch(/<script type="module"/)
  })

  test('a push arrives at a socket', async () => {
    await mails.edge.publish(inboxCampaign('pushed', 'pushed'))
    const session = await mails.edge.signIn('ada')
    expect(session.realtime.path.startsWith(`${BELOW}/`)).toBe(true)
    const { epoch, seq } = session.inbox
    const auth = { token: session.sessionToken, epoch, since: seq }
    const options = { transports: ['websocket'], forceNew: true, rejectUnauthorized: false, auth }
    const socket = io(proxy.url, { path: session.realtime.path, ...options })
    const frames: unknown[] = []
    socket.on('inbox', (frame) => frames.push(frame))
    await expect.poll(() => socket.connected).toBe(true)
    await mails.edge.track({ name: 'pushed', userId: 'ada' })
    const added = { changes: [expect.objectContaining({ op: 'add' })] }
    await expect.poll(() => frames).toContainEqual(expect.objectContaining(added))
    socket.close()
  })

  test('the page of a mail link opens', async () => {
    await mails.publishMail('linked', { markdown: '[a](https://shop.example/a)' }, { category: 'orders' })
    const { unsubscribe, clicks } = await mails.sendMail('linked')
    expect(unsubscribe.startsWith(`${BELOW}/`)).toBe(true)
    expect(await send(unsubscribe)).toMatchObject({ status: 200, text: expect.stringMatching(/<form/) })
    expect((await send(clicks[0] ?? '')).status).toBe(302)
  })

  test('the metrics are closed', async () => {
    for (const path of ['/metrics', '/%6detrics']) expect((await send(path)).status).toBe(403)
    // The server refuses what a proxy passes on.
    expect((await send(`${BELOW}/metrics`)).status).toBe(401)
  })

  test("limits count the caller's address, whatever it claims", async () => {
    const { frontApiKey } = mails.edge.demo.environments.dev
    const body = JSON.stringify({ apiKey: frontApiKey, authType: 'backendToken', userId: 'eve', token: 'x' })
    const signIn = async (from: string, claimed: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': claimed }
      return (await send('/v1/users/auth', { from, headers, body })).status
    }
    const seen = [await signIn('127.0.0.2', '1.1.1.1'), await signIn('127.0.0.2', '1.1.1.2')]
    expect([...seen, await signIn('127.0.0.2', '1.1.1.3')]).toEqual([401, 401, 429])
    expect(await signIn('127.0.0.3', '1.1.1.1')).toBe(401)
  })

  test('the server judges large bodies itself', async () => {
    const { sdkSecretKey } = mails.edge.demo.environments.dev
    const headers = { authorization: `Bearer ${sdkSecretKey}`, 'content-type': 'application/json' }
    const properties = { text: 'x'.repeat(60_000) }
    const batch = (count: number) => {
      const events = Array(count).fill({ name: 'large', userId: 'ada', properties })
      return send('/v1/events/track/batch', { headers, body: JSON.stringify({ sdkSecretKey, events }) })
    }
    expect((await batch(50)).status).toBe(202)
    expect(await batch(100)).toMatchObject({ status: 413, text: expect.stringMatching(/"code":"request/) })
  })

  test('the server ends a body that comes slowly', async () => {
    const { sdkSecretKey } = mails.edge.demo.environments.dev
    const headers = {
      authorization: `Bearer ${sdkSecretKey}`,
      'content-length': '100000',
      'content-type': 'application/json',
    }
    const slow = request(`${proxy.url}/v1/events/track`, { method: 'POST', headers, agent: false })
    const timer = setInterval(() => slow.write(' '.repeat(100)), 500)
    const outcome = await new Promise<number | string | undefined>((resolve) => {
      slow.on('response', ({ statusCode }) => resolve(statusCode))
      slow.on('error', () => resolve('cut'))
    })
    clearInterval(timer)
    slow.destroy()
    expect(['cut', 408, 502]).toContain(outcome)
  })
})
