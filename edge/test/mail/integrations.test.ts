// Tests the integrations with providers of mail as keys, people and the command line manage them.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readTables } from '../isolation/dump.ts'
import { type CallOptions, type GivenEdge, givenEdge } from '../support/given.ts'
import { givenDashboard } from '../support/given-dashboard.ts'
import { type GivenMailApi, givenMailApi } from '../support/given-mail-api.ts'
import { givenNc } from '../support/given-nc.ts'
import { openSandbox } from '../support/open-sandbox.ts'
import { EVENTS_OF, type ProviderEvents } from '../support/provider-events.ts'

const PATH = '/v1/email/integrations'
const SECRET = 'account-key-4711'

let given: GivenEdge
let api: GivenMailApi
let key: string
let count = 0

beforeAll(async () => {
  api = await givenMailApi()
  given = await givenEdge(api.env, { outbound: api.outbound })
  await openSandbox(given)
  key = given.demo.environments.dev.sdkSecretKey
})
beforeEach(() => {
  api.answer = null
  api.calls.length = 0
})
afterAll(async () => {
  await given.stop()
  await api.stop()
})

const baseUrlOf = (written: ProviderEvents) => api.credentialsOf(written).baseUrl ?? ''
/** What each provider needs. The outbound guard refuses the mail server. */
const credentialsOf = (provider: string): object | undefined =>
  ({
    sendgrid: { apiKey: SECRET, baseUrl: baseUrlOf(EVENTS_OF.SENDGRID) },
    postmark: { serverToken: SECRET, baseUrl: baseUrlOf(EVENTS_OF.POSTMARK) },
    smtp: { host: '192.0.2.1' },
  })[provider]

interface Changes {
  provider?: string
  [name: string]: unknown
}
const settings = (changes: Changes = {}) => ({
  name: `account ${++count}`,
  provider: 'sendgrid',
  credentials: credentialsOf(changes.provider ?? 'sendgrid'),
  from: { name: 'Shop', address: 'shop@example.com' },
  priority: 5,
  ...changes,
})

interface Integration {
  id: string
  name: string
  webhookUrl: string | null
  webhookCredentials?: { username: string; password: string }
}

const call = <T = Record<string, unknown>>(method: string, path: string, options: CallOptions = {}) =>
  given.call<T>(method, path, { key, ...options })

async function create(changes: Changes = {}): Promise<Integration> {
  const { status, body } = await call<Integration>('POST', PATH, { body: settings(changes) })
  expect(status).toBe(201)
  return body
}

test('an integration is created, listed, changed and removed, and its credentials are never answered', async () => {
  const created = await call<Integration>('POST', PATH, { body: settings({ name: 'main' }) })
  const { id } = created.body
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'main', provider: 'sendgrid', priority: 5, maxPerSecond: null },
  })
  expect(created.body).toMatchObject({
    from: { name: 'Shop', address: 'shop@example.com' },
    webhookUrl: expect.stringMatching(/\/v1\/webhooks\/sendgrid\/whi_[0-9a-f]{32}$/),
    state: { lastSentAt: null, lastErrorAt: null, lastError: null, lastWebhookAt: null },
  })
  expect(created.body).not.toHaveProperty('webhookCredentials')
  const listed = await call<{ data: Integration[]; nextCursor: null }>('GET', PATH)
  expect(listed.body).toMatchObject({ nextCursor: null })
  expect(listed.body.data).toContainEqual(created.body)

  const change = { name: 'renamed', provider: 'sendgrid', priority: 2, maxPerSecond: 14 }
  const changed = await call<Integration>('PUT', `${PATH}/${id}`, { body: change })
  expect(changed).toMatchObject({
    status: 200,
    body: { id, name: 'renamed', priority: 2, maxPerSecond: 14, from: null },
  })
  expect(changed.body.webhookUrl).toBe(created.body.webhookUrl)
  expect((await call('GET', `${PATH}/${id}`)).body).toEqual(changed.body)
  for (const { body } of [created, listed, changed]) expect(JSON.stringify(body)).not.toContain(SECRET)

  expect(await call('DELETE', `${PATH}/${id}`)).toMatchObject({ status: 200, body: { deleted: true } })
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PUT', '', change],
    ['DELETE', '', undefined],
    ['POST', '/test', { to: 'ada@example.com' }],
  ] as const) {
    const answer = await call(method, `${PATH}/${id}${path}`, body === undefined ? {} : { body })
    expect(answer).toMatchObject({ status: 404, body: { code: 'email-integration/not-found' } })
  }
})

test('an unusable integration is refused with all its faults at once, and no credential in them', async () => {
  const refused = await call<{ details: { path: string }[] }>('POST', PATH, {
    body: {
      provider: 'sendgrid',
      credentials: { apiKey: `${SECRET} with spaces`, region: 'mars', other: SECRET, webhookKey: 7 },
      from: { name: 'two\r\nlines', address: 'nobody' },
      priority: 1.5,
      rotateWebhookPassword: true,
    },
  })
  expect(refused).toMatchObject({ status: 400, body: { code: 'request/invalid-body' } })
  expect(refused.body.details.map(({ path }) => path).sort()).toEqual([
    'credentials.apiKey',
    'credentials.other',
    'credentials.region',
    'credentials.webhookKey',
    'from.address',
    'from.name',
    'name',
    'priority',
    'rotateWebhookPassword',
  ])
  expect(JSON.stringify(refused.body)).not.toContain(SECRET)
  for (const [changes, path] of [
    [{ provider: 'pigeon', credentials: {} }, 'provider'],
    [{ credentials: undefined }, 'credentials'],
    [{ credentials: 'text' }, 'credentials'],
    [{ credentials: {} }, 'credentials.apiKey'],
    [{ credentials: { apiKey: 'k'.repeat(8193) } }, 'credentials.apiKey'],
  ] as const) {
    const { status, body } = await call<{ details: object[] }>('POST', PATH, { body: settings(changes) })
    expect({ status, details: body.details }).toMatchObject({ status: 400, details: [{ path }] })
  }
})

test('a name is taken once, and an environment has at most 20', async () => {
  const prod = given.demo.environments.prod
  await givenNc(given.settings).json(`env change --env ${prod.id} --key-may-manage yes`)
  const inProd = (changes: Changes) =>
    call<Integration>('POST', PATH, { key: prod.sdkSecretKey, body: settings(changes) })
  await vi.waitUntil(async () => (await inProd({ name: '' })).status === 400, { timeout: 60_000 })
  const first = await inProd({ name: 'same' })
  expect(first.status).toBe(201)
  expect(await inProd({ name: 'same' })).toMatchObject({ status: 409, body: { code: 'request/conflict' } })
  const second = await inProd({ name: 'other' })
  const renamed = { ...settings(), name: 'same' }
  expect(await call('PUT', `${PATH}/${second.body.id}`, { key: prod.sdkSecretKey, body: renamed })).toMatchObject({
    status: 409,
    body: { code: 'request/conflict' },
  })
  await Promise.all(Array.from({ length: 18 }, () => inProd({})))
  expect(await inProd({})).toMatchObject({ status: 409, body: { message: expect.stringContaining('20') } })
})

test('a provider that signs nothing gets a password, which is shown once, and again only when it is new', async () => {
  const created = await create({ provider: 'postmark' })
  expect(created.webhookCredentials).toEqual({ username: 'webhook', password: expect.stringMatching(/^[0-9a-f]{48}$/) })
  const change = (changes: Changes) => call<Integration>('PUT', `${PATH}/${created.id}`, { body: settings(changes) })
  const kept = await change({ provider: 'postmark', credentials: undefined })
  expect(kept.body).not.toHaveProperty('webhookCredentials')
  const rotated = await change({ provider: 'postmark', rotateWebhookPassword: true })
  expect(rotated.body.webhookCredentials?.password).not.toBe(created.webhookCredentials?.password)
  expect((await call<Integration>('GET', `${PATH}/${created.id}`)).body).not.toHaveProperty('webhookCredentials')
  // Another provider needs its own credentials, and here no password.
  expect(await change({ provider: 'sendgrid', credentials: undefined })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'credentials' }] },
  })
  expect((await change({ provider: 'sendgrid' })).body).not.toHaveProperty('webhookCredentials')
  expect((await change({ provider: 'postmark' })).body.webhookCredentials?.password).toMatch(/^[0-9a-f]{48}$/)
  expect((await change({ provider: 'smtp' })).body).toMatchObject({ webhookUrl: null })
})

test('people manage integrations by their role; the test goes to their own address', async () => {
  const dashboard = givenDashboard(given)
  const { organisation, environments } = given.demo
  const path = PATH.replace('/v1', `/v1/dashboard/environments/${environments.dev.id}`)
  const admin = await dashboard.join(organisation.id, 'mail-admin@example.com', 'admin')
  const editor = await dashboard.join(organisation.id, 'mail-editor@example.com', 'editor')
  expect(await editor.call('POST', path, { body: settings() })).toMatchObject({ status: 403 })
  const created = await admin.call<Integration>('POST', path, { body: settings() })
  expect(created.status).toBe(201)
  expect((await editor.call('GET', `${path}/${created.body.id}`)).status).toBe(200)
  expect(await editor.call('POST', `${path}/${created.body.id}/test`, { body: {} })).toMatchObject({ status: 403 })
  expect(await admin.call('POST', `${path}/${created.body.id}/test`, { body: {} })).toMatchObject({
    body: { ok: true },
  })
  expect(api.calls[0]?.body).toContain('"mail-admin@example.com"')
})

test('changes are in the audit log and the store, without any secret', async () => {
  const { id, webhookCredentials } = await create({ provider: 'postmark', name: 'audited' })
  const body = settings({
    provider: 'postmark',
    name: 'audited anew',
    credentials: { serverToken: 'another-key-0815' },
  })
  await call('PUT', `${PATH}/${id}`, { body: { ...body, rotateWebhookPassword: true } })
  await call('DELETE', `${PATH}/${id}`)
  const cli = givenNc(given.settings)
  const env = given.demo.environments.dev.id
  const entries = await cli.json<{ action: string; subject: string }[]>(`audit list --env ${env} --limit 100`)
  const own = entries.filter(({ subject }) => subject === id)
  expect(own.map(({ action }) => action)).toEqual([
    'email-integration.delete',
    'email-integration.change',
    'email-integration.create',
  ])
  expect(JSON.stringify(own)).toContain('audited anew')
  const stored = JSON.stringify([...(await readTables(given))])
  for (const secret of [SECRET, 'another-key-0815', webhookCredentials?.password ?? 'missing']) {
    expect(stored).not.toContain(secret)
  }
})

test('a key that may not manage is refused before its body is read', async () => {
  const { sdkSecretKey, id } = given.demo.environments.prod
  await givenNc(given.settings).json(`env change --env ${id} --key-may-manage no`)
  const ask = () => call('POST', PATH, { key: sdkSecretKey, body: {} })
  await vi.waitUntil(async () => (await ask()).status === 403, { timeout: 60_000 })
  expect(await ask()).toMatchObject({ body: { code: 'authorization/not-allowed' } })
  expect((await call('GET', PATH, { key: sdkSecretKey })).status).toBe(200)
})

test('the command line creates, lists, tests and deletes, with credentials from a file', async () => {
  const cli = givenNc(given.settings)
  const env = `--env ${given.demo.environments.dev.id}`
  const file = join(given.dataDir, 'credentials.json')
  await writeFile(file, JSON.stringify({ serverToken: 'file-key-1234', baseUrl: baseUrlOf(EVENTS_OF.POSTMARK) }))
  const flags = `${env} --provider postmark --credentials-file ${file}`
  expect(await cli.nc(`email create ${flags} --name cli --from-name Shop`)).toMatchObject({ code: 2 })
  expect(await cli.nc(`email create ${flags} --name cli --max-per-second fast`)).toMatchObject({ code: 2 })
  const made = await cli.nc(
    `email create ${flags} --name cli --from-address shop@example.com --priority 900 --max-per-second 2.5`,
  )
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/Password, shown this once: [0-9a-f]{48}/) })
  expect(made.out).not.toContain('file-key-1234')
  const listed = await cli.json<Integration[]>(`email list ${env}`)
  const { id } = listed.at(-1) as Integration
  // The running server sees it at once.
  expect((await call('GET', `${PATH}/${id}`)).body).toMatchObject({ name: 'cli', priority: 900, maxPerSecond: 2.5 })
  const tested = await cli.nc(`email test ${env} --integration ${id} --to ada@example.com`)
  expect(tested).toMatchObject({
    code: 0,
    out: expect.stringContaining('Accepted as 0a129aee-e1cd-480d-b08d-4f48548ff48d.'),
  })
  expect(api.calls).toMatchObject([{ headers: { 'x-postmark-server-token': 'file-key-1234' } }])
  api.answer = { status: 500, text: '{"Message":"We are down."}' }
  const failed = await cli.nc(`email test ${env} --integration ${id} --to ada@example.com`)
  expect(failed).toMatchObject({ code: 1, out: expect.stringContaining('Not sent: 500: We are down.') })
  expect(await cli.nc(`email delete ${env} --integration ${id}`)).toMatchObject({ code: 0 })
  expect((await call('GET', `${PATH}/${id}`)).status).toBe(404)
})

test('users have a switch for mail exactly while the environment can send one', async () => {
  await given.publish({
    key: 'switches',
    name: 'Switches',
    category: 'switches',
    trigger: { event: 'switches' },
    steps: [{ id: 'tell', type: 'inbox', title: 'Hello' }],
  })
  const { data } = (await call<{ data: Integration[] }>('GET', PATH)).body
  for (const { id } of data) await call('DELETE', `${PATH}/${id}`)
  const session = await given.signIn('switching')
  const channels = async () => {
    const path = '/v1/inbox/preferences'
    const { body } = await given.call<{ categories: { key: string; channels: object }[] }>('GET', path, { session })
    return Object.keys(body.categories.find(({ key }) => key === 'switches')?.channels ?? {})
  }
  await vi.waitUntil(async () => (await channels()).length === 1, { timeout: 60_000 })
  const { id } = await create()
  expect(await channels()).toEqual(['inbox', 'email'])
  await call('DELETE', `${PATH}/${id}`)
  expect(await channels()).toEqual(['inbox'])
})
