// Tests sources of any HMAC and of Standard Webhooks: each scheme signs as its sender does, and is refused when it differs.
// SQLite alone: what is tested lies before the store.

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedSourceAnswer } from '../../../contract/resources/source.ts'
import { RECIPE_NAMES, type RecipeName, SOURCE_RECIPES } from '../../../contract/source-recipes.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenSources, givenSources } from '../support/given-sources.ts'

let given: GivenEdge
let sources: GivenSources
beforeAll(async () => {
  given = await givenEdge()
  sources = givenSources(given)
})
afterAll(() => given.stop())

const SECRET = 'a-secret-of-the-sender'
const TYPE = 'order.created'
const NAMES = { type: TYPE, event: TYPE, event_type: TYPE, event_id: 'd1' }
const BODY = JSON.stringify({ id: 'd1', ...NAMES, data: { user_id: 'u_any', total: 4 } })
const seconds = (shift = 0) => String(Math.floor(Date.now() / 1000) + shift)
const sign = (text: string, encoding: 'hex' | 'base64' = 'hex', algorithm = 'sha256') =>
  createHmac(algorithm, SECRET).update(text).digest(encoding)
async function post({ url, id, provider }: CreatedSourceAnswer, headers: Record<string, string>, body = BODY) {
  expect(url).toContain(`/v1/connectors/${provider}/${id}`)
  const path = `${given.url}/v1/connectors/${provider}/${id}`
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return [answer.status, ((await answer.json()) as { accepted?: number }).accepted]
}
const PATHS = { idPath: 'id', typePath: 'type' }
const HEX = { algorithm: 'sha256', encoding: 'hex', signedString: 'body', ...PATHS }
const TIMED = { ...HEX, signedString: 'timestamp.body' }
const settingsOf = (name: RecipeName) => SOURCE_RECIPES[name].settings ?? {}

type Sender = [name: string, settings: object, headers: (time: string, body: string) => Record<string, string>]
const SENDERS: Sender[] = [
  [
    'GitHub',
    settingsOf('github'),
    (_, body) => ({
      'x-hub-signature-256': `sha256=${sign(body)}`,
      'x-github-delivery': 'd1',
      'x-github-event': 'order.created',
    }),
  ],
  [
    'Shopify',
    settingsOf('shopify'),
    (_, body) => ({
      'x-shopify-hmac-sha256': sign(body, 'base64'),
      'x-shopify-event-id': 'd1',
      'x-shopify-topic': 'order.created',
    }),
  ],
  [
    'WorkOS',
    settingsOf('workos'),
    // Its times are milliseconds.
    (time, body) => ({ 'workos-signature': `t=${time}000, v1=${sign(`${time}000.${body}`)}` }),
  ],
  [
    'Calendly',
    settingsOf('calendly'),
    (time, body) => ({ 'calendly-webhook-signature': `t=${time},v1=${sign(`${time}.${body}`)}` }),
  ],
  [
    'Paddle',
    settingsOf('paddle'),
    (time, body) => ({ 'paddle-signature': `ts=${time};h1=${sign(`${time}:${body}`)}` }),
  ],
  [
    'SHA-512 with a time of its own',
    { ...TIMED, header: 'X-Sig', algorithm: 'sha512', timestampHeader: 'X-Time' },
    (time, body) => ({
      'x-sig': sign(`${time}.${body}`, 'hex', 'sha512'),
      'x-time': time,
    }),
  ],
  [
    'Zendesk, whose times are ISO 8601',
    { ...HEX, header: 'X-Sig', encoding: 'base64', signedString: 'timestampbody', timestampHeader: 'X-Time' },
    (time, body) => {
      const at = new Date(Number(time) * 1000).toISOString()
      return { 'x-sig': sign(`${at}${body}`, 'base64'), 'x-time': at }
    },
  ],
  [
    'several signatures with spaces between',
    { ...HEX, header: 'X-Sig', prefix: 'v1=' },
    (_, body) => ({ 'x-sig': `v1=${'0'.repeat(64)} v1=${sign(body)}` }),
  ],
  [
    'HTTP signatures, whose values are in quotes',
    { ...TIMED, header: 'Signature', prefix: 'signature=', timestampPrefix: 'created=' },
    (time, body) => ({
      signature: `keyId="a, signature=0",created="${time}",signature="${sign(`${time}.${body}`)}"`,
    }),
  ],
  ['quotes around the whole', { ...HEX, header: 'X-Sig' }, (_, body) => ({ 'x-sig': `"${sign(body)}"` })],
  ['hex in capitals', { ...HEX, header: 'X-Sig' }, (_, body) => ({ 'x-sig': sign(body).toUpperCase() })],
  [
    'base64 for addresses, without its end',
    { ...HEX, header: 'X-Sig', encoding: 'base64' },
    (_, body) => ({ 'x-sig': createHmac('sha256', SECRET).update(body).digest('base64url') }),
  ],
]

test.each(SENDERS)('any HMAC: %s is taken, and another body, secret or time is not', async (_, settings, headersOf) => {
  const source = await sources.create('hmac', { settings, verificationSecret: SECRET })
  expect(source.settings).toEqual(settings)
  expect(await post(source, headersOf(seconds(), BODY))).toEqual([200, 1])
  expect(await post(source, headersOf(seconds(), BODY))).toEqual([200, 0])
  expect((await post(source, headersOf(seconds(), `${BODY} `)))[0]).toBe(401)
  expect((await post(source, {}))[0]).toBe(401)
  const isTimed = 'signedString' in settings && settings.signedString !== 'body'
  expect((await post(source, headersOf(seconds(-3600), BODY)))[0]).toBe(isTimed ? 401 : 200)
  const key = given.demo.environments.dev.sdkSecretKey
  const { body } = await given.call('GET', '/v1/events?userId=u_any&limit=1', { key })
  expect(body).toMatchObject({ data: [{ name: 'hmac.order.created', properties: { total: 4 } }] })
})

test('faulty settings are refused with their paths, and other providers have none', async () => {
  const key = given.demo.environments.dev.sdkSecretKey
  const faultsOf = async (body: object) => {
    const answer = await given.call<{ details?: { path: string }[] }>('POST', '/v1/sources', {
      key,
      body: { name: 'x', ...body },
    })
    return [answer.status, answer.body.details?.map(({ path }) => path).sort()]
  }
  expect(await faultsOf({ provider: 'hmac' })).toEqual([400, ['settings']])
  const settings = {
    header: 'a b',
    algorithm: 'md5',
    encoding: 'hex',
    signedString: 'timestamp',
    idPath: 'a..b',
    typePath: 'type',
    other: 1,
  }
  const paths = ['algorithm', 'header', 'idPath', 'other', 'signedString'].map((field) => `settings.${field}`)
  expect(await faultsOf({ provider: 'hmac', settings })).toEqual([400, paths])
  const timed = { ...TIMED, header: 'X-Sig' }
  expect(await faultsOf({ provider: 'hmac', settings: timed })).toEqual([400, ['settings.timestampHeader']])
  expect(await faultsOf({ provider: 'stripe', mappings: [{ providerEvent: 'invoice.*' }] })).toEqual([
    400,
    ['mappings[0].providerEvent'],
  ])
  expect(await faultsOf({ provider: 'stripe', settings: { ...HEX, header: 'X' } })).toEqual([400, ['settings']])
})

test('forms are read: their payload as GitHub sends it, else their fields', async () => {
  const source = await sources.create('hmac', { settings: { ...HEX, header: 'X-Sig' }, verificationSecret: SECRET })
  const postForm = (fields: Record<string, string>, signature?: string) => {
    const body = new URLSearchParams(fields).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    return post(source, { ...type, 'x-sig': signature ?? sign(body) }, body)
  }
  const item = { type: 'form.payload', id: 'f1', data: { user_id: 'u_form', title: 'ü & more' } }
  expect(await postForm({ payload: JSON.stringify(item) })).toEqual([200, 1])
  expect(await postForm({ type: 'form.fields', id: 'f2', user_id: 'u_form', text: 'a=b' })).toEqual([200, 1])
  expect((await postForm({ payload: 'none' }))[0]).toBe(400)
  expect((await postForm({ payload: '{}' }, sign('{}')))[0]).toBe(401)
  expect((await postForm(Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`${at}`, '']))))[0]).toBe(400)
  const { body } = await given.call('GET', '/v1/events?userId=u_form', {
    key: given.demo.environments.dev.sdkSecretKey,
  })
  expect(body).toMatchObject({
    data: [
      { name: 'hmac.form.fields', properties: { text: 'a=b' } },
      { name: 'hmac.form.payload', properties: { title: 'ü & more' } },
    ],
  })
})

test.each(['webhook', 'svix'])('standard webhooks: the headers of %s are taken', async (prefix) => {
  const secret = `whsec_${Buffer.from(SECRET).toString('base64')}`
  const source = await sources.create('standardwebhooks', { verificationSecret: secret })
  const headersOf = (time: string, id: string, body = BODY) => ({
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: time,
    [`${prefix}-signature`]: `v1,${'A'.repeat(43)}= v1,${sign(`${id}.${time}.${body}`, 'base64')}`,
  })
  expect(await post(source, headersOf(seconds(), 'msg_1'))).toEqual([200, 1])
  expect(await post(source, headersOf(seconds(), 'msg_1'))).toEqual([200, 0])
  expect((await post(source, headersOf(seconds(-400), 'msg_2')))[0]).toBe(401)
  expect((await post(source, headersOf(seconds(), 'msg_3', `${BODY} `)))[0]).toBe(401)
  const two = JSON.stringify([{ type: 'a' }, { type: 'a' }])
  expect(await post(source, headersOf(seconds(), 'msg_4', two), two)).toEqual([200, 2])
})

test('Chargebee sends credentials, which are the secret', async () => {
  const credentials = 'webhooks:a-long-password'
  const source = await sources.create('hmac', { settings: settingsOf('chargebee'), verificationSecret: credentials })
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  expect(await post(source, basic(credentials))).toEqual([200, 1])
  expect((await post(source, basic('webhooks:other')))[0]).toBe(401)
  expect((await post(source, {}))[0]).toBe(401)
  expect((await post(source, { authorization: `Bearer ${credentials}` }))[0]).toBe(401)
})

test('a hook of Supabase is taken with its secret as Supabase shows it, and named by its metadata', async () => {
  const key = Buffer.from('a-key-of-supabase')
  const source = await sources.create('standardwebhooks', {
    verificationSecret: `v1,whsec_${key.toString('base64')}`,
    mappings: SOURCE_RECIPES.supabase.mappings,
  })
  const body = JSON.stringify({
    metadata: { name: 'before-user-created' },
    user: { id: 'u_hook', email: 'a@b.example' },
  })
  const text = `msg_s.${seconds()}.${body}`
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  const headers = { 'webhook-id': 'msg_s', 'webhook-timestamp': seconds(), 'webhook-signature': signature }
  expect(await post(source, headers, body)).toEqual([200, 1])
  const own = { key: given.demo.environments.dev.sdkSecretKey }
  const { body: events } = await given.call('GET', '/v1/events?userId=u_hook', own)
  expect(events).toMatchObject({ data: [{ name: 'standardwebhooks.before-user-created' }] })
})

test.each(RECIPE_NAMES)('the recipe of %s makes a source', async (name) => {
  const { provider, settings, mappings, pages } = SOURCE_RECIPES[name]
  const source = await sources.create(provider, { settings, mappings })
  expect(source).toMatchObject({ provider, settings: settings ?? null, mappings: mappings ?? [] })
  for (const page of pages) expect(new URL(page).protocol).toBe('https:')
})
