// Tests the test mails of integrations: what the provider gets, and its answer in words.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenMailApi, givenMailApi } from '../support/given-mail-api.ts'
import { givenSmtp } from '../support/given-smtp.ts'
import { openSandbox } from '../support/open-sandbox.ts'
import { EVENTS_OF } from '../support/provider-events.ts'

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
afterAll(async () => {
  await given.stop()
  await api.stop()
})

const call = <T = Record<string, unknown>>(method: string, path: string, { body }: { body?: unknown } = {}) =>
  given.call<T>(method, path, { key, ...(body !== undefined && { body }) })

const sendgridAccount = () => ({ ...api.credentialsOf(EVENTS_OF.SENDGRID), apiKey: SECRET })

async function create(provider: string, credentials: object): Promise<{ id: string }> {
  const from = { name: 'Shop', address: 'shop@example.com' }
  const { status, body } = await call<{ id: string }>('POST', PATH, {
    body: { name: `account ${++count}`, provider, credentials, from },
  })
  expect(status).toBe(201)
  return body
}

test('a test mail reports the answer of the provider in words', async () => {
  const { id } = await create('sendgrid', sendgridAccount())
  const sent = await call('POST', `${PATH}/${id}/test`, { body: { to: 'ada@example.com' } })
  expect(sent).toMatchObject({ status: 200, body: { ok: true, providerMessageId: 'kfGvnBJcSZ6qjGTSUyN5Mw' } })
  expect(api.calls).toMatchObject([{ provider: 'sendgrid', headers: { authorization: `Bearer ${SECRET}` } }])
  expect(JSON.parse(api.calls[0]?.body ?? '')).toMatchObject({
    from: { name: 'Shop', email: 'shop@example.com' },
    personalizations: [{ to: [{ email: 'ada@example.com' }] }],
    subject: expect.stringMatching(/^Test from /),
    tracking_settings: { open_tracking: { enable: false }, click_tracking: { enable: false } },
  })
  api.answer = { status: 429, text: '{"errors":[{"message":"You have exceeded your quota."}]}' }
  const refused = await call('POST', `${PATH}/${id}/test`, { body: { to: 'ada@example.com' } })
  expect(refused.body).toEqual({ ok: false, error: '429: You have exceeded your quota.' })
  const shown = await call<{ state: Record<string, string> }>('GET', `${PATH}/${id}`)
  expect(shown.body.state).toMatchObject({ lastError: '429: You have exceeded your quota.', lastWebhookAt: null })
  expect(Object.values(shown.body.state).filter((value) => value !== null)).toHaveLength(3)
})

test('a test mail ends its connection to a mail server', async () => {
  const smtp = await givenSmtp()
  try {
    const credentials = { host: smtp.host, port: String(smtp.port), tls: 'none' }
    const { id } = await create('smtp', credentials)
    const sent = await call('POST', `${PATH}/${id}/test`, { body: { to: 'ada@example.com' } })
    expect(sent.body).toMatchObject({ ok: true })
    expect(smtp.mails).toMatchObject([{ from: 'shop@example.com', to: ['ada@example.com'] }])
    await expect.poll(() => smtp.connections()).toBe(0)
  } finally {
    await smtp.stop()
  }
})

test('a test mail needs an address', async () => {
  const { id } = await create('sendgrid', sendgridAccount())
  for (const [of, body, path] of [
    [id, {}, 'to'],
    [id, { to: 'ada@example.com\r\nBcc: eve@example.com' }, 'to'],
  ] as const) {
    expect(await call('POST', `${PATH}/${of}/test`, { body })).toMatchObject({
      status: 400,
      body: { details: [{ path }] },
    })
  }
})
