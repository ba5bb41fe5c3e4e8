// Tests Mailjet: its API against a server on this machine, and every event of its webhook.

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MailReport } from '../../domain/mail/mail-provider.ts'
import { ApiError } from '../../lib/api-error.ts'
import { callOf, type GivenProviderApi, givenProviderApi, MAIL, NOW } from '../test/given-provider-api.ts'
import { createMailjetProvider } from './mailjet.ts'

let api: GivenProviderApi
beforeEach(async () => {
  api = await givenProviderApi()
})
afterEach(() => api.stop())

const provider = () => createMailjetProvider({ fetch: api.fetch })
const sender = () => provider().createSender({ apiKey: 'public', secretKey: 'private', baseUrl: api.url })

/** As dev.mailjet.com has it, with a number that JavaScript cannot hold. */
const SENT =
  '{"Messages":[{"Status":"success","CustomID":"msg_1","To":[{"Email":"ada@example.org","MessageUUID":"1-2","MessageID":20547681647433001,"MessageHref":"https://api.mailjet.com/v3/message/20547681647433001"}],"Cc":[],"Bcc":[]}]}'
const FAILED =
  '{"Messages":[{"Status":"error","Errors":[{"ErrorIdentifier":"f9","ErrorCode":"send-0003","StatusCode":400,"ErrorMessage":"At least \\"HTMLPart\\",\\n must be provided."}]}]}'

describe('send', () => {
  test('posts the mail with our id as its CustomID', async () => {
    api.answer = { status: 200, text: SENT }
    expect(await sender().send(MAIL)).toEqual({ outcome: 'accepted', providerMessageId: '20547681647433001' })
    const [call] = api.calls
    expect(api.calls).toHaveLength(1)
    expect(call).toMatchObject({
      method: 'POST',
      path: '/v3.1/send',
      headers: { authorization: 'Basic cHVibGljOnByaXZhdGU=', 'content-type': 'application/json' },
    })
    expect(JSON.parse(call?.body ?? '')).toEqual({
      Messages: [
        {
          From: { Email: 'shop@example.com', Name: 'Shop "Ä", Ltd' },
          To: [{ Email: 'ada@example.org' }],
          ReplyTo: { Email: 'help@example.com' },
          Subject: 'Grüße',
          HTMLPart: '<p>Hello</p>',
          TextPart: 'Hello',
          CustomID: 'msg_1',
          Headers: { 'List-Unsubscribe': '<https://example.com/u>' },
          TrackOpens: 'enabled',
          TrackClicks: 'disabled',
        },
      ],
    })
  })

  test('asks for the tracking of the mail, and for no replies elsewhere', async () => {
    await sender().send({ ...MAIL, replyTo: null, tracking: { opens: false, clicks: true } })
    const [message] = JSON.parse(api.calls[0]?.body ?? '').Messages
    expect(message).toMatchObject({ TrackOpens: 'disabled', TrackClicks: 'enabled' })
    expect(message).not.toHaveProperty('ReplyTo')
  })

  test('takes an answer of 200 with a failed message for a refusal', async () => {
    api.answer = { status: 200, text: FAILED }
    expect(await sender().send(MAIL)).toEqual({
      outcome: 'refused',
      error: 'At least "HTMLPart", must be provided.',
    })
  })

  test.each([
    [400, FAILED, { outcome: 'refused', error: '400: At least "HTMLPart", must be provided.' }],
    [401, '{"ErrorMessage":"API key"}', { outcome: 'unavailable', error: '401: API key' }],
    [
      429,
      '{"ErrorMessage":"Slow"}',
      { outcome: 'unavailable', error: '429: Slow', isRateLimited: true, retryAfterMs: 7000 },
    ],
    [500, 'Sorry', { outcome: 'unavailable', error: '500: Sorry' }],
  ])('answers %i', async (status, text, outcome) => {
    api.answer = { status, text, headers: status === 429 ? { 'retry-after': '7' } : {} }
    expect(await sender().send(MAIL)).toEqual(outcome)
  })

  test('accepts without an id when the answer has none', async () => {
    for (const text of ['', '[]', '{"Messages":[{"To":[{"MessageID":{}}]}]}', '{"Messages":3}']) {
      api.answer = { status: 200, text }
      expect(await sender().send(MAIL)).toEqual({ outcome: 'accepted', providerMessageId: null })
    }
  })

  test('does not know the outcome when the connection is cut', async () => {
    api.answer = 'cut'
    expect(await sender().send(MAIL)).toMatchObject({ outcome: 'unknown' })
  })
})

test('says which credential is wrong', () => {
  const paths = (credentials: Record<string, string>) =>
    provider()
      .check(credentials)
      .map(({ path }) => path)
  expect(paths({ apiKey: 'a', secretKey: 'b' })).toEqual([])
  expect(paths({ apiKey: 'a b', secretKey: 'b' })).toEqual(['apiKey'])
  expect(paths({ apiKey: 'a' })).toEqual(['secretKey'])
  expect(paths({ apiKey: 'a', secretKey: 'b', baseUrl: 'mailjet' })).toEqual(['baseUrl'])
})

/** As dev.mailjet.com has it. */
const BOUNCE = `{
  "event": "bounce",
  "time": 1430812195,
  "MessageID": 13792286917004337,
  "Message_GUID": "1ab23cd4-e567-8901-2345-6789f0gh1i2j",
  "email": "bounce@mailjet.com",
  "mj_campaign_id": 0,
  "mj_contact_id": 0,
  "customcampaign": "",
  "CustomID": "msg_1",
  "Payload": "",
  "blocked": false,
  "hard_bounce": true,
  "error_related_to": "recipient",
  "error": "user unknown",
  "comment": "Host or domain name not found."
}`
const REPORT: MailReport = {
  kind: 'bounced',
  messageId: 'msg_1',
  providerMessageId: '13792286917004337',
  eventId: 'bounce 13792286917004337 bounce@mailjet.com 1430812195000',
  at: 1430812195000,
  automated: false,
  address: 'bounce@mailjet.com',
  link: null,
  reason: 'recipient: user unknown: Host or domain name not found.',
}

describe('webhook', () => {
  const read = async (text: string) => {
    const { createWebhookReader } = provider()
    if (createWebhookReader === null) throw new Error('There is no reader.')
    const verdict = await createWebhookReader({}).read(callOf(text))
    if (!verdict.ok || 'confirmUrl' in verdict) throw new Error('The call is refused.')
    return verdict
  }

  test('reads the published example, alone and in a list', async () => {
    expect(await read(BOUNCE)).toEqual({ ok: true, reports: [REPORT], ignored: 0 })
    const other = BOUNCE.replace('004337', '004336')
    const { reports, ignored } = await read(`[${BOUNCE},${other},{"event":"other"},null,3]`)
    expect(ignored).toBe(3)
    expect(reports.map(({ providerMessageId }) => providerMessageId)).toEqual([
      '13792286917004337',
      '13792286917004336',
    ])
    expect(new Set(reports.map(({ eventId }) => eventId)).size).toBe(2)
  })

  test.each([
    ['open', {}, 'opened'],
    ['click', {}, 'clicked'],
    ['sent', {}, 'delivered'],
    ['bounce', {}, 'bounced'],
    ['bounce', { hard_bounce: true }, 'bounced'],
    ['bounce', { hard_bounce: false, blocked: true }, 'bounced'],
    ['bounce', { hard_bounce: false, error: 'quota exceeded' }, 'dropped'],
    ['bounce', { hard_bounce: false, error: 'greylisted' }, 'deferred'],
    ['blocked', {}, 'bounced'],
    ['blocked', { error_related_to: 'recipient' }, 'bounced'],
    ['blocked', { error_related_to: 'domain' }, 'bounced'],
    ['blocked', { error_related_to: 'spam', error: 'content blocked' }, 'dropped'],
    ['blocked', { error_related_to: 'mailjet', error: 'preblocked' }, 'dropped'],
    ['greylisted', {}, 'deferred'],
    ['spam', { source: 'JMRPP' }, 'complaint'],
    ['unsub', {}, 'unsubscribe'],
  ])('takes %s %o as %s', async (event, more, kind) => {
    const { reports } = await read(
      JSON.stringify({ event, time: 1, CustomID: 'msg_1', url: 'https://a.example', ...more }),
    )
    expect(reports).toMatchObject([
      { kind, messageId: 'msg_1', at: 1000, link: kind === 'clicked' ? 'https://a.example' : null },
    ])
  })

  test('reads fields of other types as missing', async () => {
    const event = { event: 'click', time: 'x', MessageID: -1, CustomID: {}, email: 3, url: ['a'], error: null }
    expect((await read(JSON.stringify(event))).reports).toEqual([
      {
        ...REPORT,
        kind: 'clicked',
        messageId: null,
        providerMessageId: null,
        eventId: 'click',
        at: NOW,
        address: null,
        reason: null,
      },
    ])
  })

  test('leaves texts as they are that look like the number of a mail', async () => {
    const comment = 'a "MessageID": 7, b'
    const { reports } = await read(JSON.stringify({ event: 'bounce', comment }))
    expect(reports[0]?.reason).toBe(comment)
  })

  test('refuses a body that is no JSON', async () => {
    await expect(read('event=open')).rejects.toThrow(expect.objectContaining({ code: 'request/invalid-body' }))
  })

  test('never throws anything but an ApiError', async () => {
    const value = fc.jsonValue()
    const event = fc.record(
      {
        event: fc.constantFrom('click', 'open', 'bounce', 'blocked', 'sent'),
        time: value,
        MessageID: value,
        CustomID: value,
        email: value,
        url: value,
        error_related_to: value,
        error: value,
        hard_bounce: value,
      },
      { requiredKeys: ['event'] },
    )
    const body = fc.oneof(value, event, fc.array(fc.oneof(event, value)))
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          body.map((one) => JSON.stringify(one)),
        ),
        async (text) => {
          const verdict = await read(text).catch((error: unknown) => error)
          if (verdict instanceof ApiError) return verdict.code === 'request/invalid-body'
          return (verdict as { reports: MailReport[] }).reports.every(({ at }) => Number.isSafeInteger(at))
        },
      ),
    )
  })
})
