// Tests the demo's start: the page from the first moment, and what must hold at other addresses and after restarts.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RELEASE, type RunningEdge } from '../edge/index.ts'
import { findFreePort } from '../tools/servers/server-process.ts'
import { createEdgeApi } from './backend/edge-api.ts'
import { PLATFORMS, type Platform } from './backend/example-payloads.ts'
import { findOrder } from './backend/orders.ts'
import type { SentDelivery } from './backend/sign-example.ts'
import { startDemo } from './start.ts'

test('the first answer at its address is the page', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-start-'))
  const port = await findFreePort()
  const starting = startDemo({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent', SEED_DEMO: 'plain' })
  let answer: Response | undefined
  const ask = async () => {
    answer ??= await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    return answer !== undefined
  }
  await expect.poll(ask, { interval: 2, timeout: 60_000 }).toBe(true)
  expect(answer?.status).toBe(200)
  expect(await answer?.text()).toContain('<!doctype html>')
  const keySet = (await fetch(`http://127.0.0.1:${port}/demo/jwks.json`)).json()
  expect(await keySet).toMatchObject({ keys: [{ kty: 'RSA', kid: 'demo-1' }] })
  await (await starting).close()
  await rm(dataDir, { recursive: true, force: true })
})

test('an order delivered in prod has its details too, also after a start at another address', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-prod-'))
  for (const orderId of ['L-1042', 'L-1043']) {
    const edge = await startDemo({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', SEED_DEMO: 'plain' })
    const prod = edge.demo?.environments.prod
    if (prod === undefined) throw new Error('There is no demo organisation.')
    const api = createEdgeApi(edge.url, prod)
    const event = { name: 'order.delivered', userId: `u_${orderId}`, properties: { orderId } }
    const { eventId } = (await api.track(event)).body as { eventId: string }
    const read = async () => {
      const { data } = (await api.get(`/v1/deliveries?eventId=${eventId}`)).body as { data: { messageId: string }[] }
      if (data[0] === undefined) return undefined
      const { body } = await api.get(`/v1/deliveries/${data[0].messageId}`)
      return (body as { snapshot: { body: string } }).snapshot.body
    }
    await expect.poll(read).toContain(`${findOrder(orderId)?.total} EUR`)
    await edge.close()
  }
  await rm(dataDir, { recursive: true, force: true })
})

test('examples of platforms are accepted behind a proxy with a path, and known after a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-platforms-'))
  const examples: Partial<Record<Platform, object>> = {}
  for (const accepted of [1, 0]) {
    const settings = {
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'silent',
      SEED_DEMO: 'plain',
      PUBLIC_URL: 'https://shop.example/behind',
    }
    const edge = await startDemo(settings)
    for (const platform of PLATFORMS) {
      const body = JSON.stringify({ platform, userId: 'u_42', example: examples[platform] })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${edge.url}/demo/api/deliveries`, { method: 'POST', headers, body })
      const sent = (await answer.json()) as SentDelivery
      expect(sent, platform).toMatchObject({ status: 200, body: { status: 'accepted', accepted } })
      examples[platform] = sent.example
    }
    await edge.close()
  }
  await rm(dataDir, { recursive: true, force: true })
})

test('settings with a byte order mark or quotes are read as the server reads them', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-quotes-'))
  const settings = { DATA_DIR: `"${dataDir}"`, PORT: "'0'", LOG_LEVEL: 'silent' }
  for (const [name, seed] of [
    ['\uFEFFSEED_DEMO', 'false'],
    ['SEED_DEMO', '“plain”'],
  ] as const) {
    const edge = await startDemo({ ...settings, [name]: seed })
    expect(edge.demo === null).toBe(seed === 'false')
    await edge.close()
  }
  expect(await readdir(dataDir)).toContain('demo.json')
  await rm(dataDir, { recursive: true, force: true })
})

describe('the host of a request', () => {
  let edge: RunningEdge
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'demo-host-'))
    const settings = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', SEED_DEMO: 'plain' }
    edge = await startDemo({ ...settings, PUBLIC_URL: 'https://Shop.Example/behind' })
  })
  afterAll(async () => {
    await edge.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Asks for a token of a user of prod as a page does whose requests count as those of one origin. */
  function askToken(headers: Record<string, string>, target = '/demo/api/token'): Promise<Answer> {
    const { port } = new URL(edge.url)
    return new Promise((resolve, reject) => {
      const sent = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers }
      const call = request({ host: '127.0.0.1', port, method: 'POST', path: target, headers: sent, setHost: false })
      call.on('error', reject)
      call.on('response', async (response) => resolve({ status: response.statusCode, body: await text(response) }))
      call.end(JSON.stringify({ environment: 'prod', strategy: 'backendToken', userId: 'u_42' }))
    })
  }

  test.each([
    ['127.0.0.1:3000', undefined],
    ['LOCALHOST:3000', 'http://localhost:3000'],
    ['localhost.', undefined],
    ['127.0.0.1', undefined],
    ['127.8.9.10:80', undefined],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['[::ffff:7f00:1]:3000', undefined],
    ['shop.example', 'https://shop.example'],
    ['SHOP.example.:8443', undefined],
    // A proxy that writes a Host of its own.
    ['127.0.0.1:3000', 'https://shop.example'],
  ])('Host %s with Origin %s gets a token', async (host, origin) => {
    const { status, body } = await askToken({ host, ...(origin && { origin }) })
    expect(body).toContain('"token"')
    expect(status).toBe(200)
  })

  test.each([
    ['evil.example:3000', undefined],
    ['evil.example', 'http://evil.example'],
    ['localhost.evil.example:3000', undefined],
    ['127.0.0.1.evil.example', undefined],
    ['shop.example.evil.example', undefined],
    ['evil.localhost:3000', undefined],
    ['0.0.0.0:3000', undefined],
    ['192.168.1.5:3000', undefined],
    ['[::]:3000', undefined],
    ['127.0.0.1:3000', 'http://evil.example:3000'],
    ['127.0.0.1:3000', 'http://127.0.0.1:5173'],
    ['127.0.0.1:3000', 'http://shop.example'],
    ['127.0.0.1:3000', 'null'],
    ['127.0.0.1:3000', ''],
  ])('Host %s with Origin %j gets none', async (host, origin) => {
    const { status, body } = await askToken({ host, ...(origin !== undefined && { origin }) })
    expect({ status, hasToken: body.includes('"token"') }).toEqual({ status: 403, hasToken: false })
  })

  test.each<Record<string, string>>([
    {},
    { host: '' },
    { host: 'localhost:3000@evil.example' },
    { host: 'localhost/x' },
  ])('a Host such as %j is refused', async (headers) => {
    const { status, body } = await askToken(headers)
    expect([400, 403]).toContain(status)
    expect(body).not.toContain('"token"')
  })

  test('a target that is a whole address counts like Host', async () => {
    const host = '127.0.0.1:3000'
    const foreign = await askToken({ host }, 'http://evil.example/demo/api/token')
    expect([400, 403]).toContain(foreign.status)
    expect((await askToken({ host: 'evil.example' }, `http://${host}/demo/api/token`)).status).toBeGreaterThan(399)
  })

  test('every route of the backend refuses a foreign host', async () => {
    const paths = ['config', 'prod/campaigns', 'prod/mailbox', 'prod/mailbox/m_1/html', 'prod/users/u_42/sign-out']
    for (const path of paths) {
      expect(await askToken({ host: 'evil.example' }, `/demo/api/${path}`), path).toMatchObject({ status: 403 })
    }
  })
})

describe('at an address that others reach', () => {
  test.each([{ HOST: '0.0.0.0' }, { HOST: '::' }, { PUBLIC_URL: 'https://shop.example' }, { TRUSTED_PROXIES: '1' }])(
    '%j serves no demo unless SEED_DEMO is set by hand, and then warns',
    async (reach) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'demo-reach-'))
      const settings = { DATA_DIR: dataDir, PORT: '0', ...reach }
      const lines: string[] = []
      const without = await startDemo({ ...settings, SEED_DEMO: '' }, (line) => lines.push(line))
      const port = new URL(without.url).port
      expect(without.demo).toBeNull()
      expect((await fetch(`http://127.0.0.1:${port}/demo/api/config`)).status).toBe(404)
      expect(lines.join('')).toContain('Set SEED_DEMO=true to serve it')
      await without.close()
      expect(await readdir(dataDir)).not.toContain('demo.json')
      const seeded = await startDemo({ ...settings, SEED_DEMO: 'plain' }, (line) => lines.push(line))
      expect(seeded.demo).not.toBeNull()
      expect(lines.join('')).toContain('anybody who reaches it may act as any of its users')
      await seeded.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  )
})

interface Answer {
  status: number | undefined
  body: string
}

test('--version prints the release, and starts nothing', async () => {
  const main = join(import.meta.dirname, 'main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', main, '--version'])
  expect(stdout).toBe(`${RELEASE}\n`)
})
