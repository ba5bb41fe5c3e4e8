// Tests providers' HTTP APIs against a server on this machine: what each receives, and what each kind of answer means.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MAIL_PROVIDERS } from '../../../contract/tenant.ts'
import { API_CASES, NAMED_MAIL } from '../test/api-cases.ts'
import { type GivenProviderApi, givenProviderApi, MAIL } from '../test/given-provider-api.ts'
import { createMailProviders, type MailProvidersDeps } from './mail-providers.ts'

let api: GivenProviderApi
beforeEach(async () => {
  api = await givenProviderApi()
})
afterEach(() => api.stop())

describe.each(API_CASES)('$name', (given) => {
  const givenSender = (changes: Record<string, string> = {}, fetch: MailProvidersDeps['fetch'] = api.fetch) => {
    const provider = createMailProviders({ fetch, allow: [] }).get(given.name)
    if (provider === undefined) throw new Error('no such provider')
    const credentials = { ...given.credentials, baseUrl: api.url, ...changes }
    expect(provider.check(credentials)).toEqual([])
    return provider.createSender(credentials)
  }
  const answerJson = ({ status, body }: { status: number; body: unknown }, headers: Record<string, string> = {}) => {
    api.answer = { status, text: JSON.stringify(body), headers }
  }

  test('the API receives the mail, and its answer accepts it', async () => {
    api.answer = given.accepts
    const { providerMessageId } = given
    expect(await givenSender().send(NAMED_MAIL)).toEqual({ outcome: 'accepted', providerMessageId })
    const [call] = api.calls
    expect(call).toMatchObject({ method: 'POST', path: given.path, headers: given.headers })
    expect(call && given.parseBody(call)).toEqual(given.body)
  })

  test('no text of the mail reaches the API as an encoded word', async () => {
    api.answer = given.accepts
    const word = '=?utf-8?B?eA==?='
    const to = { ...MAIL.to, name: word }
    await givenSender().send({ ...MAIL, from: { ...MAIL.from, name: word }, to, subject: `Hi ${word}` })
    const sent = decodeURIComponent(api.calls[0]?.body.replaceAll('+', ' ') ?? '')
    expect(sent.match(/=\u2060\?utf-8/g)).toHaveLength(3)
    expect(sent).not.toContain('=?')
  })

  test('a mail without name, text and address for replies is sent', async () => {
    api.answer = given.accepts
    const bare = { ...MAIL, from: { name: null, address: MAIL.from.address }, replyTo: null, text: '', headers: {} }
    expect(await givenSender().send(bare)).toMatchObject({ outcome: 'accepted' })
    expect(api.calls[0]?.body).not.toMatch(/null|undefined/)
  })

  test('an answer about the mail refuses it, in the words of the provider', async () => {
    for (const answer of given.refuses) {
      answerJson(answer)
      expect(await givenSender().send(MAIL), JSON.stringify(answer)).toMatchObject({ outcome: 'refused' })
    }
    answerJson(given.refuses[0] ?? { status: 0, body: null })
    const isGone = given.isUnknownAddress === true
    expect(await givenSender().send(MAIL)).toEqual({
      outcome: 'refused',
      error: given.words,
      ...(isGone && { unknownAddress: MAIL.to.address }),
    })
  })

  test('an answer about the account leaves the mail to another provider', async () => {
    for (const answer of [...given.fails, ...[500, 502, 503].map((status) => ({ status, body: 'Bad gateway' }))]) {
      answerJson(answer)
      expect(await givenSender().send(MAIL), JSON.stringify(answer)).toMatchObject({ outcome: 'unavailable' })
    }
    answerJson({ status: 429, body: {} }, { 'retry-after': '7' })
    expect(await givenSender().send(MAIL)).toMatchObject({ outcome: 'unavailable', retryAfterMs: 7000 })
    const at = new Date(Date.now() + 60_000).toUTCString()
    answerJson({ status: 429, body: {} }, { 'retry-after': at })
    const { retryAfterMs = 0 } = (await givenSender().send(MAIL)) as { retryAfterMs?: number }
    expect(retryAfterMs).toBeGreaterThan(30_000)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  test('a call that was sent and is not answered leaves the outcome unknown', async () => {
    api.answer = 'cut'
    expect(await givenSender().send(MAIL)).toMatchObject({ outcome: 'unknown' })
    api.answer = 'hang'
    const hasty = givenSender({}, (url, options) => api.fetch(url, { ...options, timeoutMs: 1000 }))
    expect(await hasty.send(MAIL)).toMatchObject({ outcome: 'unknown' })
    expect(api.calls).toHaveLength(2)
  })

  test('a call that was not sent, and a redirect, take nothing', async () => {
    expect(await givenSender({ baseUrl: 'http://127.0.0.1:1' }).send(MAIL)).toMatchObject({ outcome: 'unavailable' })
    const internal = await givenSender({ baseUrl: 'https://10.0.0.1' }).send(MAIL)
    expect(internal).toMatchObject({ outcome: 'unavailable', error: expect.stringContaining('OUTBOUND_ALLOW') })
    api.answer = { status: 307, text: '', headers: { location: `${api.url}/elsewhere` } }
    expect(await givenSender().send(MAIL)).toMatchObject({ outcome: 'unavailable' })
    expect(api.calls).toHaveLength(1)
  })

  test('an error is one line of at most 500 characters, without credentials', async () => {
    const { authorization = '' } = given.headers
    const secrets = [...Object.values(given.credentials), authorization.replace(/^\w+ /, '')]
    const words = `You\r\nsent\t\u0085 ${secrets.join(' and ')} ${'x'.repeat(1000)}`
    const error = { message: words, ErrorMessage: words }
    answerJson({
      status: 500,
      body: { message: words, Message: words, errors: [error], Messages: [{ Errors: [error] }] },
    })
    const outcome = await givenSender().send(MAIL)
    const line = 'error' in outcome ? outcome.error : ''
    expect(line).toMatch(/^500: You sent /)
    expect(line).toHaveLength(500)
    for (const secret of secrets) {
      const isPublic = ['', 'mg.shop.example', 'eu', 'key-of-mailjet'].includes(secret)
      if (!isPublic) expect(line).not.toContain(secret)
    }
  })

  test('no line break, list or reserved header reaches the API', async () => {
    api.answer = given.accepts
    const hostile = {
      ...MAIL,
      from: { name: 'Shop"\r\nBcc: a@evil.example', address: 'shop@example.com' },
      to: { name: 'Ada, <b@evil.example>\u2028', address: 'ada@example.org' },
      subject: 'Hello\r\nBcc: c@evil.example',
      headers: { 'X-Ok': 'a\r\nBcc: d@evil.example', 'Bcc: e@evil.example\r\nX': '1', Bcc: 'f@evil.example' },
    }
    expect(await givenSender().send(hostile)).toMatchObject({ outcome: 'accepted' })
    const body = decodeURIComponent(api.calls[0]?.body ?? '')
    expect(body).not.toMatch(/\\r|\\n|\r|\n|\u2028|[ef]@evil/)
    for (const address of [
      'a@x.example, b@x.example',
      'a@x.example\r\nBcc: b@x.example',
      `${'a'.repeat(400)}@x.example`,
      'a',
    ]) {
      const refused = await givenSender().send({ ...MAIL, to: { name: null, address } })
      expect(refused).toEqual({ outcome: 'refused', error: 'The address of the recipient is not valid.' })
    }
    expect(api.calls).toHaveLength(1)
  })
})

test('a repeated idempotency key of Resend leaves the outcome unknown', async () => {
  api.answer = { status: 409, text: '{"name":"concurrent_idempotent_requests","message":"In progress"}' }
  const resend = createMailProviders({ fetch: api.fetch, allow: [] }).get('resend')
  const sender = resend?.createSender({ apiKey: 're_1', baseUrl: api.url })
  expect(await sender?.send(MAIL)).toEqual({ outcome: 'unknown', error: '409: In progress' })
})

test('the list has every provider of the contract, and a check that names each fault', () => {
  const providers = createMailProviders({ fetch: api.fetch, allow: [] })
  expect([...providers.keys()]).toEqual(MAIL_PROVIDERS)
  // A provider without its case would be sent with and never tested. These two get whole messages: smtp.test.ts, ses.test.ts.
  const tested = new Set<string>(['smtp', 'ses', ...API_CASES.map(({ name }) => name)])
  expect(MAIL_PROVIDERS.filter((name) => !tested.has(name))).toEqual([])
  const faults = (name: 'sendgrid' | 'postmark' | 'mailgun' | 'resend', credentials: Record<string, string>) =>
    providers
      .get(name)
      ?.check(credentials)
      .map(({ path }) => path)
  for (const key of ['', 'a b', 'a\r\nx: y', 'ä']) {
    expect(faults('sendgrid', { apiKey: key, webhookKey: 'no key' })).toEqual(['apiKey', 'webhookKey'])
    expect(faults('postmark', { serverToken: key, messageStream: 'a b' })).toEqual(['serverToken', 'messageStream'])
    expect(faults('mailgun', { apiKey: key, domain: 'a/b', region: 'constructor', webhookKey: '' })).toEqual([
      'apiKey',
      'webhookKey',
      'domain',
      'region',
    ])
    expect(faults('resend', { apiKey: key, webhookKey: 'whsec_!' })).toEqual(['apiKey', 'webhookKey'])
  }
})
