// Tests the process: first start, settings, secrets kept out of the log, and draining on SIGTERM.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importJWK, SignJWT } from 'jose'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge } from '../support/edge-process.ts'
import { ENGINE, type EngineSettings, engineSettings } from '../support/engine.ts'
import { prepareSeeded } from '../support/prepared-folders.ts'
import { killAll, type StartedEdge, startRawEdge, waitUntilListening } from '../support/raw-edge.ts'
import { send } from '../support/send.ts'
import { runningNow } from '../support/within.ts'

let dataDir: string
let engine: EngineSettings
let started: StartedEdge[] = []
beforeAll(buildEdge)
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'edge-process-'))
  engine = await engineSettings()
})
afterEach(async () => {
  await killAll(started)
  started = []
  await engine.release()
  await rm(dataDir, { recursive: true, force: true })
})

function start(env: Record<string, string> = {}): StartedEdge {
  const edge = startRawEdge({ DATA_DIR: dataDir, SEED_DEMO: 'plain', ...engine.env, ...env })
  started.push(edge)
  return edge
}

/** Starts the edge on a folder that was seeded before. */
async function startAgain(env: Record<string, string> = {}): Promise<StartedEdge> {
  await prepareSeeded({ DATA_DIR: dataDir, SEED_DEMO: 'plain', ...engine.env }, 'with campaigns')
  return start(env)
}

/** Files of a first start. On SQLite a missing master key is generated. */
const FILES = ENGINE === 'sqlite' ? ['demo.json', 'master.key'] : ['demo.json']
const readDemo = async () => JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
const readKey = async () => engine.env.MASTER_KEY ?? (await readFile(join(dataDir, 'master.key'), 'utf8')).trim()
const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

test('the first start writes demo.json and the master key, readable by the owner alone, and a second start keeps both', async () => {
  const first = start()
  await waitUntilListening(first)
  const demo = await readDemo()
  expect(demo).toMatchObject({
    organisation: { id: expect.stringMatching(/^org_/) },
    dashboard: { email: expect.stringContaining('@'), password: expect.any(String) },
    environments: {
      dev: {
        id: expect.stringMatching(/^env_/),
        identityProvider: {
          issuer: expect.any(String),
          audience: expect.any(String),
          algorithm: 'RS256',
          kid: expect.any(String),
          privateKeyJwk: { kty: 'RSA', d: expect.any(String) },
        },
        signedJwt: { algorithm: 'ES256', privateKeyJwk: { kty: 'EC', d: expect.any(String) } },
      },
    },
    sources: { stripe: { id: expect.stringMatching(/^src_/), verificationSecret: expect.stringMatching(/^whsec_/) } },
    campaigns: { 'order-shipped': expect.stringMatching(/^cmp_/) },
  })
  expect(Object.keys(demo.environments.prod).sort()).toEqual([
    'authSecretKey',
    'frontApiKey',
    'id',
    'sdkSecretKey',
    'webhookSigningSecret',
  ])
  for (const environment of Object.values(demo.environments)) {
    for (const [name, kind] of [
      ['sdkSecretKey', 'sdk'],
      ['authSecretKey', 'auth'],
      ['frontApiKey', 'front'],
    ] as const) {
      // At least 192 random bits.
      expect(environment[name]).toMatch(new RegExp(`^nc_${kind}_eu_[A-Za-z0-9_-]{32,}$`))
    }
    expect(
      Buffer.from(environment.webhookSigningSecret.replace(/^whsec_/, ''), 'base64').length,
    ).toBeGreaterThanOrEqual(24)
  }
  for (const name of FILES) expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600)
  const signalledAt = runningNow()
  first.child.kill('SIGTERM')
  expect(await first.exited).toBe(0)
  expect(runningNow() - signalledAt).toBeLessThan(8000)
  await waitUntilListening(start())
  expect((await readDemo()).environments.prod).toEqual(demo.environments.prod)
})

test('demo.json is enough to use a server: a campaign, and sign-ins by its identity provider', async () => {
  const url = await waitUntilListening(start())
  const { environments, campaigns } = await readDemo()
  const { sdkSecretKey, frontApiKey, identityProvider } = environments.dev
  const call = async (path: string, key: string, body?: object) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(url + path, { ...init, headers: headersOf(key) })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  expect(await call(`/v1/campaigns/${campaigns['order-shipped']}`, sdkSecretKey)).toMatchObject({
    body: { key: 'order-shipped', status: 'active' },
  })
  const event = { sdkSecretKey, name: 'order.shipped', userId: 'jay', properties: { orderId: 'L-7' } }
  expect(await call('/v1/events/track', sdkSecretKey, event)).toMatchObject({ status: 202 })
  const { algorithm, kid, issuer, audience, privateKeyJwk } = identityProvider
  const token = await new SignJWT({ sub: 'jay' })
    .setProtectedHeader({ alg: algorithm, kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime('1h')
    .sign(await importJWK(privateKeyJwk, algorithm))
  const signedIn = await call('/v1/users/auth', '', { apiKey: frontApiKey, authType: 'jwt', token })
  expect(signedIn).toMatchObject({ status: 200, body: { user: { userId: 'jay' } } })
  const inbox = await call('/v1/inbox/messages', String(signedIn.body.sessionToken))
  expect(inbox.body.data).toEqual([expect.objectContaining({ title: expect.stringContaining('L-7') })])
})

test('all invalid settings are reported at once, without their values', async () => {
  const wrong = {
    PORT: 'x',
    SESSION_LIFETIME: 'PT59S',
    MASTER_KEY: 'c2VjcmV0LXZhbHVl',
    RATE_LIMITS: 'some',
    REGION: 'EU!',
    SEED_DEMO: 'maybe',
  }
  const running = start(wrong)
  expect(await running.exited).toBe(1)
  for (const name of Object.keys(wrong)) expect(running.output()).toContain(name)
  expect(running.output()).not.toContain(wrong.MASTER_KEY)
  expect(running.output()).not.toMatch(/\n\s+at /)
})

test('a start that the system refuses reports the setting that causes it', async () => {
  const occupied = createServer().listen(0, '127.0.0.1')
  await once(occupied, 'listening')
  const { port } = occupied.address() as AddressInfo
  for (const [env, reason] of [
    [{ PORT: String(port) }, 'PORT is taken: another process listens there.'],
    [{ HOST: '203.0.113.1' }, 'HOST is no address of this machine.'],
    [{ HOST: 'no.such.host.invalid' }, 'HOST is no address'],
  ] as const) {
    const running = await startAgain(env)
    expect(await running.exited).toBe(1)
    expect(running.output()).toContain(reason)
  }
  occupied.close()
})

test('a start with a wrong master key is refused, and one that has the former key too serves', async () => {
  const first = await startAgain()
  await waitUntilListening(first)
  const key = await readKey()
  first.child.kill('SIGTERM')
  expect(await first.exited).toBe(0)
  const other = randomBytes(32).toString('base64')
  const wrong = start({ MASTER_KEY: other })
  expect(await wrong.exited).toBe(1)
  expect(wrong.output()).toContain('MASTER_KEY opens no secret of this store.')
  expect(wrong.output()).not.toContain(other)
  expect(wrong.output()).not.toMatch(/\n\s+at /)
  await waitUntilListening(start({ MASTER_KEY: `${other},${key}` }))
})

test('the log contains no secret, token or content of a message', async () => {
  const running = start({ LOG_LEVEL: 'debug' })
  const url = await waitUntilListening(running)
  const { dev, prod } = (await readDemo()).environments
  const badToken = 'b4d70ken'.repeat(8)
  const calls: [string, string, Record<string, string>, string?][] = [
    [
      'POST',
      '/v1/events/track',
      headersOf(dev.sdkSecretKey),
      JSON.stringify({
        sdkSecretKey: dev.sdkSecretKey,
        name: 'a.b',
        userId: 'private-user',
        properties: { card: 'private-property' },
      }),
    ],
    ['POST', '/v1/events/track', headersOf(prod.sdkSecretKey), `{"sdkSecretKey":"${dev.sdkSecretKey}"`],
    [
      'POST',
      '/v1/events/track',
      headersOf(`${dev.sdkSecretKey}x`),
      JSON.stringify({ sdkSecretKey: `${dev.sdkSecretKey}x` }),
    ],
    [
      'POST',
      '/v1/users/auth',
      headersOf(''),
      JSON.stringify({ apiKey: dev.frontApiKey, userId: 'private-user', token: badToken }),
    ],
    [
      'POST',
      '/v1/users/auth',
      headersOf(''),
      JSON.stringify({ apiKey: dev.frontApiKey, authType: 'jwt', token: `eyJhbGciOiJSUzI1NiJ9.${badToken}.x` }),
    ],
    ['GET', `/v1/inbox/messages?token=${badToken}`, headersOf(badToken)],
    ['GET', `/v1/users/private-user?key=${dev.sdkSecretKey}`, headersOf(dev.sdkSecretKey)],
  ]
  for (const [method, path, headers, body] of calls)
    await send(url, method, path, { headers, ...(body === undefined ? {} : { body }) })
  running.child.kill('SIGTERM')
  expect(await running.exited).toBe(0)
  const secrets = [dev, prod].flatMap((one) => [one.sdkSecretKey, one.authSecretKey, one.webhookSigningSecret])
  const masterKey = await readKey()
  for (const secret of [
    ...secrets,
    masterKey,
    badToken,
    'private-user',
    'private-property',
    (await readDemo()).dashboard.password,
  ]) {
    expect(running.output()).not.toContain(secret)
  }
})

test('after SIGTERM new work gets 503, requests in progress are finished, and the process ends with 0', async () => {
  const running = await startAgain()
  const url = await waitUntilListening(running)
  const { sdkSecretKey } = (await readDemo()).environments.dev
  const body = JSON.stringify({ sdkSecretKey, name: 'be.gun', userId: 'u' })
  const { hostname, port } = new URL(url)
  const pending = request({
    hostname,
    port,
    method: 'POST',
    path: '/v1/events/track',
    agent: false,
    headers: { ...headersOf(sdkSecretKey), 'content-length': body.length },
  })
  const response = once(pending, 'response')
  pending.write(body.slice(0, 20))
  // An answer to a later request shows that the server has received the first one.
  expect((await send(url, 'GET', '/readyz')).status).toBe(200)
  running.child.kill('SIGTERM')
  await expect.poll(async () => (await send(url, 'GET', '/readyz')).status, { interval: 10, timeout: 60_000 }).toBe(503)
  const refused = await send(url, 'POST', '/v1/events/track', { headers: headersOf(sdkSecretKey), body })
  expect([refused.status, refused.body.code, Number(refused.headers['retry-after']) > 0]).toEqual([
    503,
    'service/unavailable',
    true,
  ])
  expect((await send(url, 'GET', '/healthz')).status).toBe(200)
  pending.end(body.slice(20))
  const [answer] = await response
  expect(answer.statusCode).toBe(202)
  answer.resume()
  expect(await running.exited).toBe(0)
})

test.each([
  ['as npm passes on Ctrl-C', 'SIGINT'],
  ['of a terminal that closes', 'SIGHUP'],
] as const)('a repeated signal, %s, counts once: after %s the server drains and ends with 0', async (_how, signal) => {
  const running = await startAgain()
  await waitUntilListening(running)
  running.child.kill(signal)
  await expect.poll(() => running.output(), { interval: 5 }).toContain('"draining"')
  running.child.kill(signal)
  expect(await running.exited).toBe(0)
})

test('a second signal after a while ends the process at once with 1', async () => {
  const running = await startAgain({ DRAIN_NOTICE: 'PT8S' })
  await waitUntilListening(running)
  running.child.kill('SIGTERM')
  await expect.poll(() => running.output(), { interval: 5 }).toContain('"draining"')
  const drainingAt = runningNow()
  await expect.poll(() => runningNow() - drainingAt).toBeGreaterThan(1200)
  running.child.kill('SIGTERM')
  expect(await running.exited).toBe(1)
  expect(runningNow() - drainingAt).toBeLessThan(8000)
})
