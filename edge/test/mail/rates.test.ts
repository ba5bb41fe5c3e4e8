// Tests the rates of integrations: mails are handed over at most at that rate, and not while a provider refuses by its own.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { type EnvironmentName, type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'
import { openSandbox } from '../support/open-sandbox.ts'

interface Delivery {
  messageId: string
  userId: string
  status: string
  provider: string | null
  attempts: number
  lastError: string | null
}

const CAMPAIGN = {
  key: 'letters',
  name: 'Letters',
  trigger: { event: 'letter' },
  steps: [{ id: 'tell', type: 'email', subject: 'Hello', html: '<p>Hello</p>' }],
}

/** Runs Brevo's API: takes each mail, or answers as a test says. */
async function givenBrevo() {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { to } = JSON.parse(text) as { to: { email: string }[] }
    const at = Date.now()
    brevo.calls.push({ to: to[0]?.email ?? '', at })
    const refusal = brevo.refuse(at)
    if (refusal === null) response.writeHead(201).end(`{"messageId":"<${brevo.calls.length}@brevo>"}`)
    else response.writeHead(429, refusal).end('{"code":"too_many_requests","message":"Slow down"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const brevo = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [] as { to: string; at: number }[],
    /** Headers of an answer 429; null: the mail is taken. */
    refuse: (_at: number): Record<string, string> | null => null,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
  return brevo
}

let smtp: GivenSmtp
let brevo: Awaited<ReturnType<typeof givenBrevo>>
let given: GivenEdge
let count = 0

beforeAll(async () => {
  smtp = await givenSmtp()
  brevo = await givenBrevo()
  given = await givenEdge({ OUTBOUND_ALLOW: '127.0.0.0/8' }, { mailPausesMs: { attempts: [1, 1, 1, 1, 1] } })
  await openSandbox(given)
  await givenNc(given.settings).json(`env change --env ${given.demo.environments.prod.id} --key-may-manage yes`)
  for (const name of ['dev', 'prod'] as const) {
    const { body } = await given.call<{ id: string }>('POST', '/v1/campaigns', { key: keyOf(name), body: CAMPAIGN })
    expect((await given.call('POST', `/v1/campaigns/${body.id}/publish`, { key: keyOf(name) })).status).toBe(200)
  }
})
afterAll(async () => {
  await given.stop()
  await Promise.all([smtp.stop(), brevo.stop()])
})

const keyOf = (name: EnvironmentName) => given.demo.environments[name].sdkSecretKey
const call = <T>(name: EnvironmentName, method: string, path: string, body?: object) =>
  given.call<T>(method, path, { key: keyOf(name), ...(body !== undefined && { body }) })

const smtpSettings = (maxPerSecond: number | null) => ({
  ...{ name: `smtp ${++count}`, provider: 'smtp', maxPerSecond, from: { address: 'shop@example.com' } },
  credentials: { host: smtp.host, port: String(smtp.port), tls: 'none' },
})
const brevoSettings = () => ({
  ...{ name: `brevo ${++count}`, provider: 'brevo', credentials: { apiKey: 'xkeysib-1', baseUrl: brevo.url } },
  from: { address: 'shop@example.com' },
})

async function integrate(name: EnvironmentName, settings: object): Promise<string> {
  const { status, body } = await call<{ id: string }>(name, 'POST', '/v1/email/integrations', settings)
  expect(status).toBe(201)
  return body.id
}

async function removeAll(name: EnvironmentName): Promise<void> {
  const { body } = await call<Page<{ id: string }>>(name, 'GET', '/v1/email/integrations')
  for (const { id } of body.data) await call(name, 'DELETE', `/v1/email/integrations/${id}`)
}

/** Tracks an event for so many new users; returns its id. */
async function write(name: EnvironmentName, users: number): Promise<string> {
  const userIds = Array.from({ length: users }, () => `${name}-${++count}`)
  const put = (userId: string) => call(name, 'PUT', `/v1/users/${userId}`, { email: `${userId}@example.org` })
  await Promise.all(userIds.map(put))
  return (await given.track({ name: 'letter', userIds }, name)).body.eventId
}

async function recordsOf(name: EnvironmentName, eventId: string): Promise<Delivery[]> {
  return (await call<Page<Delivery>>(name, 'GET', `/v1/deliveries?eventId=${eventId}&limit=100`)).body.data
}

async function whenSent(name: EnvironmentName, eventId: string, users: number): Promise<Delivery[]> {
  const sent = async () => (await recordsOf(name, eventId)).filter(({ status }) => status === 'sent')
  await expect.poll(async () => (await sent()).length, { interval: 50 }).toBe(users)
  return sent()
}

test('an integration gets mails at its rate, without an attempt for waiting', async () => {
  await integrate('dev', smtpSettings(4))
  const arrivals: number[] = []
  smtp.behave = () => {
    arrivals.push(Date.now())
    return 'take'
  }
  const start = Date.now()
  const limited = await write('dev', 14)
  const records = await whenSent('dev', limited, 14)
  expect(records.map(({ attempts, lastError }) => [attempts, lastError])).toEqual(records.map(() => [1, null]))
  // Three at once, of half a second; then four a second.
  expect(Math.max(...arrivals) - start).toBeGreaterThanOrEqual(((14 - 3) / 4) * 1000)
})

test('waiting mails delay no other environment, and go at once when the rate is lifted or their integration is removed', async () => {
  await removeAll('dev')
  const settings = smtpSettings(0.01)
  const id = await integrate('dev', settings)
  const lifted = await write('dev', 3)
  await whenSent('dev', lifted, 1)
  // The others of this environment wait for minutes.
  await integrate('prod', smtpSettings(null))
  await whenSent('prod', await write('prod', 14), 14)
  await whenSent('dev', lifted, 1)
  await call('dev', 'PUT', `/v1/email/integrations/${id}`, { ...settings, maxPerSecond: null })
  await whenSent('dev', lifted, 3)

  await removeAll('dev')
  const removed = await integrate('dev', smtpSettings(0.01))
  const left = await write('dev', 3)
  await whenSent('dev', left, 1)
  await integrate('dev', { ...brevoSettings(), priority: 2 })
  await call('dev', 'DELETE', `/v1/email/integrations/${removed}`)
  const records = await whenSent('dev', left, 3)
  expect(records.map(({ provider }) => provider).sort()).toEqual(['brevo', 'brevo', 'smtp'])
})

test('after an answer 429 no mail is handed over until the time that the provider names', async () => {
  await removeAll('dev')
  await integrate('dev', brevoSettings())
  const calls = brevo.calls.length
  let refusedAt = 0
  brevo.refuse = (at) => {
    if (refusedAt > 0) return null
    refusedAt = at
    return { 'retry-after': '2' }
  }
  const refused = await write('dev', 1)
  await expect.poll(async () => (await recordsOf('dev', refused))[0]?.lastError).toContain('Slow down')
  const waiting = await write('dev', 5)
  expect(await whenSent('dev', refused, 1)).toMatchObject([{ attempts: 2 }])
  const records = await whenSent('dev', waiting, 5)
  expect(records.map(({ attempts, lastError }) => [attempts, lastError])).toEqual(records.map(() => [1, null]))
  const [first, ...later] = brevo.calls.slice(calls)
  expect(first?.at).toBe(refusedAt)
  expect(later).toHaveLength(6)
  for (const { at } of later) expect(at - refusedAt).toBeGreaterThanOrEqual(2000)
})

test('meanwhile the next integration takes over, and the refusing one is not asked', async () => {
  await removeAll('dev')
  await integrate('dev', brevoSettings())
  await integrate('dev', { ...smtpSettings(null), priority: 2 })
  brevo.refuse = () => ({ 'retry-after': '600' })
  const first = await write('dev', 1)
  expect(await whenSent('dev', first, 1)).toMatchObject([{ provider: 'smtp', attempts: 2 }])
  const calls = brevo.calls.length
  const next = await write('dev', 5)
  const records = await whenSent('dev', next, 5)
  expect(records.map(({ provider, attempts }) => [provider, attempts])).toEqual(records.map(() => ['smtp', 1]))
  expect(brevo.calls).toHaveLength(calls)
})

test('a rate is a number from 0.01 to 1000, or null', async () => {
  for (const maxPerSecond of [0, -1, 1001, '5', true, [5]]) {
    const settings = { ...smtpSettings(null), maxPerSecond }
    const { status, body } = await call<{ details: object[] }>('dev', 'POST', '/v1/email/integrations', settings)
    expect({ status, details: body.details }).toMatchObject({ status: 400, details: [{ path: 'maxPerSecond' }] })
  }
  const { body } = await call('dev', 'POST', '/v1/email/integrations', smtpSettings(0.0333333))
  expect(body).toMatchObject({ maxPerSecond: 0.033 })
  expect((await call('dev', 'POST', '/v1/email/integrations', smtpSettings(1000))).body).toMatchObject({
    maxPerSecond: 1000,
  })
})
