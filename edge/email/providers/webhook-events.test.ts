// Tests the events of SendGrid, Postmark, Mailgun and Resend: their published examples, and what each kind means.

import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MailReport, WebhookReader } from '../../domain/mail/mail-provider.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hmacHex } from '../../lib/hmac.ts'
import { callOf, MAIL, NOW } from '../test/given-provider-api.ts'
import { createMailgunProvider } from './mailgun.ts'
import { createPostmarkProvider } from './postmark.ts'
import { createResendProvider } from './resend.ts'
import { createSendgridProvider } from './sendgrid.ts'

const deps = { fetch: () => Promise.reject(new Error('no call')) }
const seconds = String(NOW / 1000)
const { messageId } = MAIL
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const readers: Record<string, { reader: WebhookReader | undefined; sign(body: string): Record<string, string> }> = {
  sendgrid: {
    reader: createSendgridProvider(deps).createWebhookReader?.({
      webhookKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    }),
    sign: (body) => ({
      'x-twilio-email-event-webhook-timestamp': seconds,
      'x-twilio-email-event-webhook-signature': createSign('sha256')
        .update(seconds + body)
        .sign(privateKey, 'base64'),
    }),
  },
  postmark: { reader: createPostmarkProvider(deps).createWebhookReader?.({}), sign: () => ({}) },
  mailgun: { reader: createMailgunProvider(deps).createWebhookReader?.({ webhookKey: 'key' }), sign: () => ({}) },
  resend: {
    reader: createResendProvider(deps).createWebhookReader?.({ webhookKey: `whsec_${'A'.repeat(32)}` }),
    sign: (body) => {
      const text = `msg_01.${seconds}.${body}`
      const signature = createHmac('sha256', Buffer.from('A'.repeat(32), 'base64'))
        .update(text)
        .digest('base64')
      return { 'svix-id': 'msg_01', 'svix-timestamp': seconds, 'svix-signature': `v1,${signature}` }
    },
  },
}

async function read(name: string, body: unknown) {
  const { reader, sign } = readers[name] ?? {}
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const verdict = await reader?.read({ ...callOf(text), headers: sign?.(text) ?? {} })
  if (!verdict?.ok || 'confirmUrl' in verdict) throw new Error(`The call is refused: ${JSON.stringify(verdict)}`)
  return verdict
}

const EMPTY = { automated: false, link: null, reason: null }

describe('SendGrid', () => {
  const base = {
    email: 'example@test.com',
    timestamp: 1_513_299_569,
    'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
    category: 'cat facts',
    sg_event_id: 'event-id',
    sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
    messageId,
  }
  const report = {
    ...EMPTY,
    messageId,
    providerMessageId: '14c5d75ce93.dfd.64b469',
    eventId: 'event-id',
    at: 1_513_299_569_000,
    address: 'example@test.com',
  }
  // The example of its documentation, with our id as a custom argument.
  test('the published list gives these reports', async () => {
    const reason = '500 unknown recipient'
    const verdict = await read('sendgrid', [
      { ...base, event: 'processed' },
      { ...base, event: 'deferred', response: '400 try again later', attempt: '5' },
      { ...base, event: 'delivered', response: '250 OK' },
      { ...base, event: 'open', useragent: 'Mozilla/4.0', ip: '255.255.255.255' },
      { ...base, event: 'open', sg_machine_open: true },
      { ...base, event: 'click', url: 'http://www.sendgrid.com/', ip: '255.255.255.255' },
      { ...base, event: 'bounce', reason, status: '5.0.0' },
      { ...base, event: 'bounce', reason, type: 'blocked' },
      { ...base, event: 'dropped', reason: 'Bounced Address', status: '5.0.0' },
      { ...base, event: 'spamreport' },
      { ...base, event: 'unsubscribe' },
      { ...base, event: 'group_unsubscribe', asm_group_id: 10 },
      { ...base, event: 'group_resubscribe', asm_group_id: 10 },
    ])
    expect(verdict).toEqual({
      ok: true,
      ignored: 2,
      reports: [
        { ...report, kind: 'deferred' },
        { ...report, kind: 'delivered' },
        { ...report, kind: 'opened' },
        { ...report, kind: 'read' },
        { ...report, kind: 'clicked', link: 'http://www.sendgrid.com/' },
        { ...report, kind: 'bounced', reason },
        { ...report, kind: 'dropped', reason },
        { ...report, kind: 'dropped', reason: 'Bounced Address' },
        { ...report, kind: 'complaint' },
        { ...report, kind: 'unsubscribe' },
        { ...report, kind: 'unsubscribe' },
      ],
    })
  })

  test('events without an id have different ones, the same in a repeated call', async () => {
    const { sg_event_id: _, ...rest } = base
    const text = JSON.stringify([
      { ...rest, event: 'open' },
      { ...rest, event: 'click' },
    ])
    const call = { ...callOf(text), headers: readers.sendgrid?.sign(text) ?? {} }
    const [first, second] = [await readers.sendgrid?.reader?.read(call), await readers.sendgrid?.reader?.read(call)]
    expect(first).toEqual(second)
    const ids = (first as { reports: MailReport[] }).reports.map(({ eventId }) => eventId)
    expect(new Set(ids).size).toBe(2)
  })

  test('a list of ten thousand events is read', async () => {
    const events = Array.from({ length: 10_000 }, (_, index) => ({
      ...base,
      event: 'open',
      sg_event_id: `id-${index}`,
    }))
    expect((await read('sendgrid', events)).reports).toHaveLength(10_000)
  })

  test('newer ids of mails end before the name of the receiver', async () => {
    const sg_message_id = 'kfGvnBJcSZ6qjGTSUyN5Mw.recvd-57ff4b8d79-xyzab-1-6579A0F3-1F.0'
    const { reports } = await read('sendgrid', [{ ...base, event: 'open', sg_message_id }])
    expect(reports[0]?.providerMessageId).toBe('kfGvnBJcSZ6qjGTSUyN5Mw')
  })
})

describe('Postmark', () => {
  const id = '883953f4-6105-42a2-a16a-77a8eac79483'
  const base = { MessageID: id, Metadata: { messageId }, MessageStream: 'outbound', Tag: 'welcome-email', ServerID: 23 }
  const report = { ...EMPTY, messageId, providerMessageId: id, address: 'john@example.com' }
  const one = async (event: object) => (await read('postmark', { ...base, ...event })).reports[0]

  test('the published examples give these reports', async () => {
    const bounce = {
      RecordType: 'Bounce',
      ID: 42,
      Type: 'HardBounce',
      TypeCode: 1,
      Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
      Details: 'Test bounce details',
      Email: 'john@example.com',
      BouncedAt: '2019-11-05T16:33:54.9070259Z',
      Inactive: true,
    }
    expect(await one(bounce)).toEqual({
      ...report,
      kind: 'bounced',
      eventId: `Bounce ${id} john@example.com 2019-11-05T16:33:54.9070259Z`,
      at: Date.UTC(2019, 10, 5, 16, 33, 54, 907),
      reason: 'Test bounce details',
    })
    const times = { eventId: expect.any(String), at: Date.UTC(2019, 10, 5, 16, 33, 54, 907) }
    const at = '2019-11-05T16:33:54.9070259Z'
    const recipient = { Recipient: 'john@example.com' }
    const delivery = { RecordType: 'Delivery', ...recipient, DeliveredAt: at, Details: 'Test delivery webhook details' }
    expect(await one(delivery)).toEqual({ ...report, ...times, kind: 'delivered' })
    const open = { RecordType: 'Open', ...recipient, FirstOpen: true, ReceivedAt: at, Platform: 'WebMail' }
    expect(await one(open)).toEqual({ ...report, ...times, kind: 'opened' })
    const click = {
      RecordType: 'Click',
      ...recipient,
      ClickLocation: 'HTML',
      ReceivedAt: at,
      OriginalLink: 'https://e.example/',
    }
    expect(await one(click)).toEqual({ ...report, ...times, kind: 'clicked', link: 'https://e.example/' })
    const complaint = { RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email: 'john@example.com', BouncedAt: at }
    expect(await one(complaint)).toEqual({ ...report, ...times, kind: 'complaint' })
    const change = { RecordType: 'SubscriptionChange', ...recipient, ChangedAt: at, SuppressSending: true }
    expect(await one({ ...change, SuppressionReason: 'ManualSuppression' })).toEqual({
      ...report,
      ...times,
      kind: 'unsubscribe',
    })
  })

  test.each([
    ['BadEmailAddress', 'bounced'],
    ['Transient', 'deferred'],
    ['SoftBounce', 'dropped'],
    ['SpamNotification', 'dropped'],
    ['Blocked', 'dropped'],
    ['Unknown', 'dropped'],
    ['SpamComplaint', 'complaint'],
    ['Unsubscribe', 'unsubscribe'],
    ['AutoResponder', undefined],
    ['ChallengeVerification', undefined],
  ])('a bounce of type %s is %s', async (Type, kind) => {
    expect((await one({ RecordType: 'Bounce', Type }))?.kind).toBe(kind)
  })

  test('a subscription that Postmark ended or the recipient began is ignored', async () => {
    const change = { RecordType: 'SubscriptionChange' }
    for (const SuppressionReason of ['HardBounce', 'SpamComplaint', null]) {
      expect(await one({ ...change, SuppressSending: true, SuppressionReason })).toBeUndefined()
    }
    expect(await one({ ...change, SuppressSending: false, SuppressionReason: 'ManualSuppression' })).toBeUndefined()
    expect(await read('postmark', { RecordType: 'Inbound' })).toEqual({ ok: true, reports: [], ignored: 1 })
  })
})

describe('Mailgun', () => {
  const signature = { timestamp: seconds, token: 'token-1', signature: hmacHex('key', `${seconds}token-1`) }
  const base = {
    id: 'MXcc2gEpS-eN8HfkOnmK2w',
    timestamp: 1_770_146_431.6585283,
    recipient: 'recipient@sample.mailgun.com',
    message: { headers: { 'message-id': '20260203192638.000be97f99f8cea1@sample.mailgun.com' }, size: 341 },
    'user-variables': { messageId },
  }
  const report = {
    ...EMPTY,
    messageId,
    providerMessageId: '20260203192638.000be97f99f8cea1@sample.mailgun.com',
    eventId: 'token-1',
    at: 1_770_146_431_659,
    address: 'recipient@sample.mailgun.com',
  }
  const one = async (event: object) => {
    return (await read('mailgun', { signature, 'event-data': { ...base, ...event } })).reports[0]
  }

  test('the published examples give these reports', async () => {
    expect(await one({ event: 'delivered', 'delivery-status': { code: 250, message: 'OK' } })).toEqual({
      ...report,
      kind: 'delivered',
    })
    expect(await one({ event: 'opened', 'client-info': { 'client-type': 'browser' } })).toEqual({
      ...report,
      kind: 'opened',
    })
    expect(await one({ event: 'clicked', url: 'https://e.example/' })).toEqual({
      ...report,
      kind: 'clicked',
      link: 'https://e.example/',
    })
    expect(await one({ event: 'complained' })).toEqual({ ...report, kind: 'complaint' })
    expect(await one({ event: 'unsubscribed' })).toEqual({ ...report, kind: 'unsubscribe' })
    const failed = {
      event: 'failed',
      reason: 'bounce',
      'delivery-status': { code: 550, message: '5.1.1 No\r\nmailbox' },
    }
    expect(await one({ ...failed, severity: 'permanent' })).toEqual({
      ...report,
      kind: 'bounced',
      reason: '5.1.1 No mailbox',
    })
    expect(await one({ ...failed, severity: 'temporary' })).toEqual({ ...report, kind: 'deferred' })
    expect(await one({ event: 'rejected', reject: { reason: 'Sandbox' } })).toMatchObject({ kind: 'dropped' })
    expect(await one({ event: 'accepted' })).toBeUndefined()
    expect(await one({ event: 'accepted', 'user-variables': [] })).toBeUndefined()
  })

  test.each([
    ['suppress-bounce', 'dropped'],
    ['suppress-unsubscribe', 'dropped'],
    ['espblock', 'dropped'],
    ['old', 'dropped'],
    ['generic', 'bounced'],
    [undefined, 'bounced'],
  ])('a permanent failure for the reason %s is %s', async (reason, kind) => {
    expect(await one({ event: 'failed', severity: 'permanent', reason })).toMatchObject({ kind })
  })

  test.each([
    ['opened', 'apple', 'read', false],
    ['opened', 'gmail', 'read', false],
    ['opened', 'generic', 'opened', true],
    ['clicked', 'generic', 'clicked', true],
    ['clicked', 'apple', 'clicked', true],
    ['opened', '', 'opened', false],
  ])('%s by the bot %j is %s, automated: %s', async (event, bot, kind, automated) => {
    expect(await one({ event, 'client-info': { bot } })).toMatchObject({ kind, automated })
  })
})

describe('Resend', () => {
  const data = {
    created_at: '2024-11-22T23:41:11.894719+00:00',
    email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
    from: 'Acme <onboarding@resend.dev>',
    to: ['Ada <delivered@resend.dev>'],
    subject: 'Sending this example',
    tags: { messageId },
  }
  const report = {
    ...EMPTY,
    messageId,
    providerMessageId: '56761188-7520-42d8-8898-ff6fc54ce618',
    eventId: 'msg_01',
    at: Date.UTC(2024, 10, 22, 23, 41, 12, 126),
    address: 'delivered@resend.dev',
  }
  const one = async (type: string, changes: object = {}) => {
    const body = { type, created_at: '2024-11-22T23:41:12.126Z', data: { ...data, ...changes } }
    return (await read('resend', body)).reports[0]
  }

  test('the published examples give these reports', async () => {
    expect(await one('email.delivered')).toEqual({ ...report, kind: 'delivered' })
    expect(await one('email.opened')).toEqual({ ...report, kind: 'opened' })
    const click = { ipAddress: '122.115.53.11', link: 'https://resend.com', timestamp: '2024-11-24T05:00:57.163Z' }
    expect(await one('email.clicked', { click })).toEqual({ ...report, kind: 'clicked', link: 'https://resend.com' })
    expect(await one('email.delivery_delayed')).toEqual({ ...report, kind: 'deferred' })
    expect(await one('email.complained')).toEqual({ ...report, kind: 'complaint' })
    const bounce = { message: 'The recipient does not exist.', subType: 'General', type: 'Permanent' }
    expect(await one('email.bounced', { bounce })).toEqual({
      ...report,
      kind: 'bounced',
      reason: 'Permanent: General: The recipient does not exist.',
    })
    expect(await one('email.failed', { failed: { reason: 'reached_daily_quota' } })).toEqual({
      ...report,
      kind: 'dropped',
      reason: 'reached_daily_quota',
    })
    for (const type of ['email.sent', 'email.scheduled', 'contact.created']) expect(await one(type)).toBeUndefined()
  })

  test.each([
    ['Permanent', 'Suppressed', 'dropped'],
    ['Permanent', 'OnAccountSuppressionList', 'dropped'],
    ['Transient', 'General', 'dropped'],
    ['Undetermined', 'Undetermined', 'dropped'],
    [undefined, undefined, 'bounced'],
  ])('a bounce of type %s, %s is %s', async (type, subType, kind) => {
    expect(await one('email.bounced', { bounce: { type, subType } })).toMatchObject({ kind })
  })

  test('tags may be a list', async () => {
    const tags = [null, { name: 'other', value: 'x' }, { name: 'messageId', value: messageId }]
    expect(await one('email.opened', { tags })).toMatchObject({ messageId })
  })
})

describe.each(Object.keys(readers))('any body of %s', (name) => {
  const events: Record<string, unknown[]> = {
    sendgrid: ['open', 'click', 'bounce', 'dropped'],
    postmark: ['Open', 'Bounce', 'SubscriptionChange', 'Click'],
    mailgun: ['opened', 'failed', 'clicked', 'rejected'],
    resend: ['email.opened', 'email.bounced', 'email.clicked', 'email.failed'],
  }
  const FIELDS: Record<string, string[]> = {
    sendgrid: ['event', 'email', 'timestamp', 'sg_event_id', 'sg_message_id', 'messageId', 'reason', 'url', 'type'],
    postmark: [
      'RecordType',
      'Type',
      'MessageID',
      'Metadata',
      'BouncedAt',
      'ReceivedAt',
      'Details',
      'Email',
      'OriginalLink',
    ],
    mailgun: [
      'event',
      'severity',
      'reason',
      'message',
      'user-variables',
      'timestamp',
      'client-info',
      'delivery-status',
      'url',
    ],
    resend: ['type', 'created_at', 'data'],
  }
  const json = fc.jsonValue({ maxDepth: 4 })
  const odd = fc.oneof(
    json,
    fc.double(),
    fc.constantFrom('\0', '\ud800', 'constructor', '__proto__', 'x'.repeat(10_000), 1e308, -1),
  )
  const event = fc
    .record(Object.fromEntries((FIELDS[name] ?? []).map((field) => [field, odd])), { requiredKeys: [] })
    .chain((fields) => fc.constantFrom(...(events[name] ?? [])).map((kind) => ({ ...fields, ...kindOf(kind) })))
  const kindOf = (kind: unknown) => ({
    [name === 'postmark' ? 'RecordType' : name === 'resend' ? 'type' : 'event']: kind,
  })
  const signature = { timestamp: seconds, token: 'token-1', signature: hmacHex('key', `${seconds}token-1`) }
  const toBody = (value: unknown, index: number) => {
    if (name === 'sendgrid') return index % 2 === 0 ? [value, value] : value
    return name === 'mailgun' ? { signature, 'event-data': value } : value
  }

  test('gives storable reports, or an ApiError', async () => {
    const check = async (text: string): Promise<void> => {
      const verdict = await read(name, text).catch((error: unknown) => error)
      if (verdict instanceof ApiError) {
        expect(verdict.code).toBe('request/invalid-body')
        return
      }
      if (verdict instanceof Error) {
        expect(verdict.message).toMatch(/^The call is refused/)
        return
      }
      const { reports, ignored } = verdict as { reports: MailReport[]; ignored: number }
      expect(reports.length + ignored).toBeGreaterThanOrEqual(0)
      for (const report of reports) {
        expect(Number.isSafeInteger(report.at)).toBe(true)
        expect(Number.isNaN(new Date(report.at).getTime())).toBe(false)
        expect(JSON.stringify(report)).not.toMatch(/\\u0000|\\ud[89a-f]/)
        expect(report.eventId).not.toBe('')
        expect((report.reason ?? '').length).toBeLessThanOrEqual(500)
      }
    }
    const property = fc.asyncProperty(fc.oneof(event, json), fc.nat(1), (value, index) =>
      check(JSON.stringify(toBody(value, index))),
    )
    await fc.assert(property, { numRuns: 300 })
    for (const text of [
      '',
      '\ufeff[]',
      '[',
      '{"a":1,"a":2}',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      '1e999',
    ]) {
      await check(text)
    }
  })

  test('bytes that are no UTF-8 do no harm', async () => {
    const { reader, sign } = readers[name] ?? {}
    const body = Buffer.from([0x5b, 0xff, 0xfe, 0x22, 0x5d])
    const headers = sign?.(body.toString('latin1')) ?? {}
    const verdict = await reader?.read({ ...callOf(''), body, headers }).catch((error: unknown) => error)
    if (verdict instanceof Error) expect(verdict).toBeInstanceOf(ApiError)
    else expect(verdict).toMatchObject({ ok: false })
  })
})
